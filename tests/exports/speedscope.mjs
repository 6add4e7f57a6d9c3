// SPDX-License-Identifier: GPL-2.0-only
//
// speedscope.mjs MODULES FILE EXPORTED: has speedscope open a file in a browser, the way its
// own command line does it, and export what it has understood.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [modules, file, exported] = process.argv.slice(2);
const { chromium } = createRequire(path.join(modules, '/'))('playwright-core');
const script = exported + '.js';
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
	args: ['--no-sandbox', '--allow-file-access-from-files'],
});

try {
	const page = await browser.newPage();
	const said = [];

	page.on('console', message => said.push(message.text()));
	page.on('dialog', dialog => { said.push(dialog.message()); dialog.dismiss(); });
	fs.writeFileSync(script, `speedscope.loadFileFromBase64(${
		JSON.stringify(path.basename(file))}, ${
		JSON.stringify(fs.readFileSync(file).toString('base64'))})`);
	await page.goto('file://' + path.join(modules, 'speedscope/dist/release/index.html') +
		'#localProfilePath=' + script);
	await page.getByText('Export').waitFor({ timeout: 60000 }).catch(error => {
		throw new Error(`${said.join('\n')}\n${error.message}`);
	});
	const [download] = await Promise.all([
		page.waitForEvent('download'),
		page.keyboard.press('Control+s'),
	]);
	await download.saveAs(exported);
} finally {
	await browser.close();
}

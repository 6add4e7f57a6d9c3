#!/usr/bin/env node
// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_page.js PLAYWRIGHT CHROMIUM DIRECTORY [PART]: flame graphs in a browser, all checks or those
 * with PART in their names. In DIRECTORY are, for each
 * WHICH of stacks.py, the stacks it printed (WHICH.stacks) and the page that was drawn of a recording
 * of them (WHICH.html); and difference.html, of app and after. What must be on a page is told
 * from the stacks alone. A line "ok NAME" or "not ok NAME: WHY" for each check.
 */
'use strict';

const fs = require('fs');
const [playwright, chromium, directory, only] = process.argv.slice(2);
const { chromium: browsers } = require(playwright);
const assert = require('assert');

const ROW = 20, TOP = 4, MARGIN = 8;

/* ---- What must be there ---- */

/* The frames of a line of stacks.py, the outermost first, and the kind of each. */
function framesOf(line) {
	const [comm, tid, ns, flags, user, kernel, waker, from] = line.split('\t');
	const split = (text) => text.split(';').filter(Boolean);
	const idle = flags.includes('i'), queued = flags.includes('q');
	const state = flags.includes('o') ? (queued ? '[interrupts]' : '[on_a_CPU]') : queued ? '[waiting_for_a_CPU]' : '';
	/* As in all folded stacks. */
	const plain = (name) => name.replaceAll(' ', '_');
	const frames = [
		...(idle ? [['[waiting_for_work]', 'idle']] : []),
		...(flags.includes('c') ? [['[cut]', 'mark']] : []),
		...(flags.includes('f') ? [['[no_frame_pointer]', 'mark']] : []),
		...split(user).map((name) => [`${name}+0x101`, idle ? 'idle' : 'user']),
		...(state ? [[state, 'mark']] : []),
		...split(kernel).map((name) => [name, idle ? 'idle' : 'kernel']),
		...(waker ? [[queued ? '[because_of]' : 'woken by', 'waker'], ...split(from).map((name) => [name, 'waker']), [plain(waker), 'waker']] : []),
	];

	return { ns: BigInt(ns), frames: [[`${comm}-${tid}`, 'task'], ...frames] };
}

function stacksOf(which) {
	return fs.readFileSync(`${directory}/${which}.stacks`, 'utf8').split('\n').filter(Boolean).map(framesOf);
}

function sumOf(stacks) {
	return stacks.reduce((sum, stack) => sum + stack.ns, 0n);
}

/* A tree of objects; turned: with the innermost frame first. */
function treeOf(stacks, turned = false) {
	const root = { name: 'all', kind: 'all', ns: 0n, children: new Map() };

	for (const { ns, frames } of stacks) {
		let node = root;

		root.ns += ns;
		for (const [name, kind] of turned ? [...frames].reverse() : frames) {
			const key = `${kind} ${name}`;

			if (!node.children.has(key))
				node.children.set(key, { name, kind, ns: 0n, children: new Map(), up: node });
			node = node.children.get(key);
			node.ns += ns;
		}
	}
	return root;
}

function greatestFirst(node) {
	const weight = ({ ns, before = 0n }) => (ns > before ? ns : before);

	return [...node.children.values()].sort((a, b) => (weight(a) < weight(b) ? 1 : weight(a) > weight(b) ? -1 : 0));
}

/* Adds to each node of a tree what it was before. */
function compare(node, before) {
	node.before = before.ns;
	for (const [key, child] of before.children) {
		if (!node.children.has(key))
			node.children.set(key, { name: child.name, kind: child.kind, ns: 0n, children: new Map(), up: node });
		compare(node.children.get(key), child);
	}
	return node;
}

/* Where a node is in the page, if "zoom" is what is zoomed. */
function place(node, zoom, width) {
	const path = [];
	let x = 0, all = Number(zoom.ns), depth = 0;

	for (let at = node; at !== zoom; at = at.up)
		path.unshift(at);
	for (let at = zoom; at.up; at = at.up)
		depth++;
	let outer = zoom;
	for (const at of path) {
		for (const child of greatestFirst(outer)) {
			if (child === at)
				break;
			x += Number(child.ns);
		}
		outer = at;
	}
	const perTime = all ? (width - 2 * MARGIN) / all : 0;

	return { x: MARGIN + (x + Number(node.ns) / 2) * perTime, y: TOP + (depth + path.length) * ROW + ROW / 2, w: Number(node.ns) * perTime };
}

function find(root, wanted, least = 0n) {
	const todo = [root];

	while (todo.length) {
		const node = todo.shift();

		if (wanted(node) && node.ns >= least)
			return node;
		todo.push(...greatestFirst(node));
	}
	throw new Error('the test looks for a frame that is not there');
}

function matched(stacks, regexp) {
	return sumOf(stacks.filter(({ frames }) => frames.some(([name]) => regexp.test(name))));
}

function matchingNodes(root, regexp) {
	const found = [], visit = (node) => {
		if (node.up && regexp.test(node.name))
			found.push(node);
		node.children.forEach(visit);
	};

	visit(root);
	return found;
}

function percent(part, whole) {
	return `${(100 * Number(part) / Number(whole)).toFixed(1)}%`;
}

/* ---- A page ---- */

let browser;

async function open(which, options = {}) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
	const page = await context.newPage();

	page.complaints = [];
	page.on('console', (message) => page.complaints.push(message.text()));
	page.on('pageerror', (error) => page.complaints.push(String(error)));
	page.on('dialog', (dialog) => { page.complaints.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
	page.on('request', (request) => {
		if (request.url() !== page.address && !request.url().startsWith('data:'))
			page.complaints.push(`asks for ${request.url()}`);
	});
	page.address = `file://${directory}/${which}.html`;
	await page.goto(page.address + (options.fragment || ''));
	return page;
}

async function close(page) {
	await page.context().close();
	assert.deepStrictEqual(page.complaints, [], 'the page complains');
}

async function chartOf(page) {
	return page.locator('#chart').boundingBox();
}

async function at(page, node, zoom) {
	const chart = await chartOf(page);
	const [width, scrolled] = await page.locator('#chart').evaluate((element) => [element.clientWidth, element.scrollTop]);
	const where = place(node, zoom, width);

	return [chart.x + where.x, chart.y + where.y - scrolled];
}

const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const text = (page, where) => page.locator(where).innerText();

/* What the tooltip says of a node. */
async function tipOf(page, node, zoom) {
	await page.mouse.move(...await at(page, node, zoom));
	await page.locator('#tip').waitFor();
	return (await text(page, '#tip')).split('\n');
}

function digits(words) {
	return BigInt(words.split(/ (ns|cycles)/)[0].replace(/\D/g, ''));
}

/* The exact time, which is in the last line. */
async function timeOf(page, node, zoom) {
	const lines = await tipOf(page, node, zoom);

	assert.strictEqual(lines[0], node.name);
	return digits(lines[lines.length - 1]);
}

async function click(page, node, zoom) {
	await page.mouse.click(...await at(page, node, zoom));
	await drawn(page);
}

async function search(page, words) {
	await page.keyboard.press('/');
	await page.keyboard.press('Control+a');
	await page.keyboard.type(words);
	await page.waitForTimeout(200);
}

async function resultOf(page) {
	return { text: await text(page, '#result'), ns: digits(`${await page.locator('#result').getAttribute('title')}`) };
}

/* The colour in the middle of a node, beside its name. */
async function colorOf(page, node, zoom) {
	const [x, y] = await at(page, node, zoom), chart = await chartOf(page);
	const color = await page.evaluate(([left, top]) => {
		const canvas = document.querySelector('canvas'), scale = devicePixelRatio;

		return [...canvas.getContext('2d').getImageData(left * scale, top * scale, 1, 1).data].slice(0, 3);
	}, [x - chart.x, y - chart.y - ROW / 2 + 2]);

	/* That was asked of the canvas here, not by the page. */
	page.complaints = page.complaints.filter((line) => !line.startsWith('Canvas2D: Multiple readback'));
	return color;
}

/* ---- Checks ---- */

const checks = {
	async 'the sum is that of all stacks'() {
		for (const which of ['app', 'wall', 'huge', 'deep', 'hostile', 'nothing']) {
			const root = treeOf(stacksOf(which)), page = await open(which);

			assert.strictEqual(await timeOf(page, root, root), root.ns, which);
			assert.match(await text(page, '#status'), new RegExp(`of ${stacksOf(which).length} stacks`));
			await close(page);
		}
	},

	async 'each wide frame has its time'() {
		for (const [which, least] of [['app', 100], ['wall', 30]]) {
			const root = treeOf(stacksOf(which)), page = await open(which), todo = [root];
			let n = 0;

			while (todo.length) {
				const node = todo.pop();

				if (place(node, root, 1280).w < 8 || place(node, root, 1280).y > 560)
					continue;
				assert.strictEqual(await timeOf(page, node, root), node.ns, node.name);
				todo.push(...greatestFirst(node));
				n++;
			}
			assert(n > least, `only ${n} of ${which}`);
			await close(page);
		}
	},

	async 'a click zooms, and the address keeps it'() {
		const root = treeOf(stacksOf('app')), page = await open('app');
		const node = find(root, (frame) => frame.kind === 'user' && frame.name.includes('main'));
		const inner = greatestFirst(node)[0];

		await click(page, node, root);
		assert.match(page.url(), /#.*zoom=\d+/);
		assert.strictEqual(await timeOf(page, inner, node), inner.ns);
		assert((await text(page, '#tip')).includes(`${percent(inner.ns, node.ns)} of ${node.name}`));
		await page.reload();
		await drawn(page);
		assert.strictEqual(await timeOf(page, inner, node), inner.ns);
		await click(page, inner, node);
		await page.goBack();
		await drawn(page);
		assert.strictEqual(await timeOf(page, inner, node), inner.ns);
		await page.goBack();
		await drawn(page);
		assert.strictEqual(await timeOf(page, node, root), node.ns);
		await page.goForward();
		await drawn(page);
		assert.strictEqual(await timeOf(page, inner, node), inner.ns);
		/* Callers stay on top, as wide as all there is. */
		await click(page, root, root);
		assert.doesNotMatch(page.url(), /zoom/);
		await close(page);
	},

	async 'a search tells its share'() {
		const stacks = stacksOf('app'), root = treeOf(stacks), page = await open('app');

		for (const words of ['futex', 'flush|commit', '^schedule$', 'Sort', 'sort', 'no such']) {
			const regexp = new RegExp(words, words === 'sort' ? 'i' : ''), sum = matched(stacks, regexp);

			await search(page, words);
			const got = await resultOf(page);

			assert.strictEqual(got.ns, sum, words);
			assert(got.text.startsWith(sum ? percent(sum, root.ns) : 'no frame'), `${words}: ${got.text}`);
		}
		/* Of what is zoomed, and bottom-up it is the same. */
		const node = find(root, (frame) => frame.kind === 'task');
		const inside = stacks.filter(({ frames }) => frames[0][0] === node.name);

		await search(page, 'futex');
		await click(page, node, root);
		assert((await resultOf(page)).text.includes(`${percent(matched(inside, /futex/), node.ns)} of what is zoomed`));
		await page.keyboard.press('b');
		assert.strictEqual((await resultOf(page)).ns, matched(stacks, /futex/));
		await page.reload();
		assert.strictEqual((await resultOf(page)).ns, matched(stacks, /futex/));
		await close(page);
	},

	async 'matches can be gone through'() {
		const root = treeOf(stacksOf('app')), page = await open('app');
		const found = matchingNodes(root, /fdatasync/).sort((a, b) => (a.ns < b.ns ? 1 : -1));
		const chosen = async () => digits((await text(page, '#status')).split('; ').find((part) => / ns/.test(part)));

		assert(found.length > 5);
		await search(page, 'fdatasync');
		assert((await resultOf(page)).text.endsWith(`${found.length} frames`));
		await page.keyboard.press('Enter');
		assert.strictEqual(await chosen(), found[0].ns);
		await page.keyboard.press('Tab');
		await page.locator('#chart').focus();
		await page.keyboard.press('n');
		assert.strictEqual(await chosen(), found[1].ns);
		assert((await resultOf(page)).text.endsWith(`2 of ${found.length}`));
		await page.keyboard.press('N');
		await page.keyboard.press('N');
		/* The smallest one can only be seen when it is zoomed. */
		assert.strictEqual(await chosen(), found[found.length - 1].ns);
		assert.match(page.url(), /zoom=/);
		await page.keyboard.press('Escape');
		assert.strictEqual(await text(page, '#result'), '');
		await close(page);
	},

	async 'a bad expression is told'() {
		const page = await open('app');

		await search(page, 'futex(');
		assert.match(await text(page, '#result'), /^This is no regular expression: /);
		await search(page, 'futex');
		assert.match(await text(page, '#result'), /^\d/);
		await close(page);
	},

	async 'bottom-up has the same time, by the innermost frame'() {
		const stacks = stacksOf('app'), turned = treeOf(stacks, true), page = await open('app');

		await page.keyboard.press('b');
		await drawn(page);
		assert.strictEqual(await timeOf(page, turned, turned), sumOf(stacks));
		for (const node of greatestFirst(turned)) {
			if (place(node, turned, 1280).w < 4)
				continue;
			assert.strictEqual(await timeOf(page, node, turned), node.ns, node.name);
			for (const caller of greatestFirst(node))
				if (place(caller, turned, 1280).w > 8)
					assert.strictEqual(await timeOf(page, caller, turned), caller.ns, caller.name);
		}
		const node = greatestFirst(greatestFirst(turned)[0])[0];

		await click(page, node, turned);
		await page.reload();
		await drawn(page);
		assert.strictEqual(await timeOf(page, greatestFirst(node)[0], node), greatestFirst(node)[0].ns);
		await close(page);
	},

	async 'very many innermost frames have their time, bottom-up'() {
		const stacks = stacksOf('wide'), turned = treeOf(stacks, true), page = await open('wide');

		await page.keyboard.press('b');
		await drawn(page);
		assert.strictEqual(await timeOf(page, turned, turned), sumOf(stacks));
		await search(page, '^wait_1');
		assert.strictEqual((await resultOf(page)).ns, matched(stacks, /^wait_1/));
		await close(page);
	},

	async 'waits for work can be left out'() {
		const stacks = stacksOf('app').filter(({ frames }) => frames[1][1] !== 'idle'), page = await open('app');
		const root = treeOf(stacks);

		assert(sumOf(stacks) < sumOf(stacksOf('app')));
		await page.locator('#waits').uncheck();
		await drawn(page);
		assert.strictEqual(await timeOf(page, root, root), root.ns);
		await page.reload();
		await drawn(page);
		assert.strictEqual(await timeOf(page, root, root), root.ns);
		await page.keyboard.press('w');
		await drawn(page);
		assert.strictEqual(await timeOf(page, root, root), sumOf(stacksOf('app')));
		await close(page);
	},

	async 'kinds have colours, in both themes'() {
		const root = treeOf(stacksOf('app')), grounds = [];

		for (const colorScheme of ['light', 'dark']) {
			const page = await open('app', { colorScheme }), colors = new Set();

			await drawn(page);
			for (const kind of ['task', 'user', 'kernel', 'idle', 'mark', 'waker']) {
				const node = matchingNodes(root, /./).filter((frame) => frame.kind === kind)
					.reduce((one, other) => (one.ns >= other.ns ? one : other));

				/* By the search, as it may be narrow. */
				await search(page, `^${node.name.replace(/[\][.+]/g, '\\$&')}$`);
				await page.keyboard.press('Enter');
				await page.keyboard.press('Escape');
				await page.locator('#chart').focus();
				await page.keyboard.press('Enter');
				await drawn(page);
				assert.strictEqual(await timeOf(page, node, node), node.ns);
				await drawn(page);
				colors.add(String(await colorOf(page, node, node)));
				await page.keyboard.press('Home');
				await drawn(page);
			}
			assert.strictEqual(colors.size, 6, [...colors].join(' '));
			grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
			await close(page);
		}
		assert.notStrictEqual(grounds[0], grounds[1]);
	},

	async 'a comparison tells before and after'() {
		const before = treeOf(stacksOf('app')), after = compare(treeOf(stacksOf('after')), before);
		const page = await open('difference');
		const tip = async (node) => {
			const lines = await tipOf(page, node, after);

			assert.strictEqual(lines[0], node.name);
			return lines;
		};

		await drawn(page);
		let lines = await tip(after);

		assert.strictEqual(digits(lines[lines.length - 1]), after.ns);
		assert(lines.some((line) => line.startsWith('before ') && line.includes('100.0% of all')));
		const grown = greatestFirst(after)[0], name = `task ${grown.name}`;

		assert(grown.ns > before.children.get(name).ns);
		lines = await tip(grown);
		assert(lines.some((line) => line.includes(`${percent(before.children.get(name).ns, before.ns)} of all: +`)), lines.join());
		let [red, , blue] = await colorOf(page, grown, after);

		assert(red > blue + 40, 'what grew is red');
		const less = after.children.get('task kworker-12');

		assert((await tip(less)).some((line) => line.includes(': −')));
		[red, , blue] = await colorOf(page, less, after);
		assert(blue > red + 10, 'what shrank is blue');
		/* What is gone has no width now. */
		await page.keyboard.press('d');
		await drawn(page);
		const gone = before.children.get('task leaver-501');
		const chart = await chartOf(page);
		let found = false;

		for (let x = 20; x < 1260 && !found; x += 10) {
			await page.mouse.move(chart.x + x, chart.y + TOP + ROW * 1.5);
			found = (await text(page, '#tip')).startsWith(gone.name);
		}
		assert(found, 'what is gone can be seen as it was before');
		await close(page);
	},

	async 'names do no harm'() {
		const root = treeOf(stacksOf('hostile')), page = await open('hostile');

		await drawn(page);
		for (const node of greatestFirst(root))
			for (let at = node; at; at = greatestFirst(at)[0])
				assert.strictEqual(await timeOf(page, at, root), at.ns);
		assert.strictEqual(await page.locator('img, svg, b b, #tip *:not(b):not(div)').count(), 0);
		await page.keyboard.press('b');
		await search(page, '</script>');
		await page.keyboard.press('Enter');
		await page.waitForTimeout(100);
		await close(page);
	},

	async 'the page allows nothing else'() {
		const page = await open('app');
		const ran = await page.evaluate(async () => {
			const script = document.createElement('script'), style = document.createElement('style');

			script.textContent = 'window.strange = 1';
			style.textContent = 'body { opacity: 0.5 }';
			document.body.append(script, style);
			const fetched = await fetch('https://example.org/').then(() => 'fetched', () => 'refused');

			return [window.strange, getComputedStyle(document.body).opacity, fetched];
		});

		assert.deepStrictEqual(ran, [undefined, '1', 'refused']);
		assert(page.complaints.filter((line) => line.includes('Content Security Policy')).length >= 3);
		page.complaints = [];
		await close(page);
	},

	async 'keys do all of it'() {
		const root = treeOf(stacksOf('app')), page = await open('app');
		const first = greatestFirst(root)[0], second = greatestFirst(root)[1];
		const chosen = async () => (await text(page, '#status b'));

		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		assert.strictEqual(await chosen(), first.name);
		await page.keyboard.press('ArrowRight');
		assert.strictEqual(await chosen(), second.name);
		await page.keyboard.press('ArrowLeft');
		await page.keyboard.press('ArrowDown');
		assert.strictEqual(await chosen(), greatestFirst(first)[0].name);
		await page.keyboard.press('ArrowUp');
		await page.keyboard.press('Enter');
		await drawn(page);
		assert.strictEqual(await timeOf(page, greatestFirst(first)[0], first), greatestFirst(first)[0].ns);
		await page.keyboard.press('Home');
		await drawn(page);
		assert.strictEqual(await timeOf(page, second, root), second.ns);
		await page.keyboard.press('?');
		assert(await page.locator('dialog').isVisible());
		await page.keyboard.press('Escape');
		assert(!await page.locator('dialog').isVisible());
		await close(page);
	},

	async 'a narrow screen and a finger do'() {
		const page = await open('app', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
		const chart = await chartOf(page);

		await drawn(page);
		assert(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
		/* Rows are higher for fingers. */
		await page.touchscreen.tap(chart.x + 30, chart.y + TOP + 26 * 1.5);
		const name = greatestFirst(treeOf(stacksOf('app')))[0].name;

		await page.locator('#status b').waitFor();
		assert.strictEqual(await text(page, '#status b'), name);
		assert.doesNotMatch(page.url(), /zoom/);
		await page.touchscreen.tap(chart.x + 30, chart.y + TOP + 26 * 1.5);
		await page.waitForURL(/zoom/, { timeout: 5000 });
		await close(page);
	},

	async 'deep stacks scroll, and the canvas stays small'() {
		const root = treeOf(stacksOf('deep')), page = await open('deep');
		let node = root, depth = 0;

		while (node.children.size) {
			node = greatestFirst(node)[0];
			depth++;
		}
		assert(depth > 300);
		await drawn(page);
		await page.evaluate(() => { document.getElementById('chart').scrollTop = 1e6; });
		await drawn(page);
		const chart = await chartOf(page);
		const scrolled = await page.evaluate(() => document.getElementById('chart').scrollTop);

		await page.mouse.move(chart.x + 100, chart.y + TOP + depth * ROW + ROW / 2 - scrolled);
		assert.strictEqual((await text(page, '#tip')).split('\n')[0], node.name);
		const size = await page.evaluate(() => {
			const canvas = document.querySelector('canvas');

			return [canvas.width, canvas.height, canvas.clientHeight];
		});

		assert(size[0] <= 1280 && size[1] <= 800 && size[2] <= 800, String(size));
		await close(page);
	},

	async 'without JavaScript there is a table'() {
		const stacks = stacksOf('app'), page = await open('app', { javaScriptEnabled: false });
		const rows = page.locator('table tr');
		const greatest = stacks.reduce((a, b) => (a.ns > b.ns ? a : b));

		assert((await text(page, 'noscript p')).includes('JavaScript'));
		assert.strictEqual(await rows.count(), Math.min(50, stacks.length) + 1);
		const first = await rows.nth(1).innerText();

		assert(first.includes(greatest.frames[0][0]) && first.includes(percent(greatest.ns, sumOf(stacks))), first);
		await close(page);
	},

	async '100,000 stacks open, which is timed'() {
		const begin = Date.now(), page = await open('many');

		await drawn(page);
		const opened = Date.now();

		await page.keyboard.press('b');
		await drawn(page);
		const turned = Date.now();

		await search(page, 'sys_1');
		const size = fs.statSync(`${directory}/many.html`).size;

		console.log(`# ${stacksOf('many').length} stacks in ${(size / 1e6).toFixed(1)} MB: opened in ${opened - begin} ms, bottom-up in ${turned - opened} ms`);
		assert.strictEqual((await resultOf(page)).ns, matched(stacksOf('many'), /sys_1/));
		await close(page);
	},
};

async function main() {
	browser = await browsers.launch({ executablePath: chromium, args: process.getuid() ? [] : ['--no-sandbox'] });
	for (const [name, check] of Object.entries(checks)) {
		if (only && !name.includes(only))
			continue;
		try {
			await check();
			console.log(`ok ${name}`);
		} catch (error) {
			console.log(`# ${String(error.stack).split('\n').slice(0, 12).join('\n# ')}`);
			console.log(`not ok ${name}: ${String(error.message).split('\n')[0]}`);
		}
		/* What failed left its page open. */
		for (const context of browser.contexts())
			await context.close();
	}
	await browser.close();
}

main();

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page of a flame graph: draws a tree of stacks on a canvas, which is as large as what
 * can be seen of it. The outermost frame is on top; turned around (bottom-up), the innermost
 * one is. What is shown is in the fragment of the address, so that reload, back and forward
 * work and an address can be passed on.
 *
 * Times are numbers, or, when their sum is beyond what those hold exactly, BigInts.
 */
'use strict';

(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const totals = data.total.map(BigInt);
const BIG = totals.some((time) => time > BigInt(Number.MAX_SAFE_INTEGER));
const Times = BIG ? BigUint64Array : Float64Array;
const ZERO = BIG ? 0n : 0;
const DIFFERENCE = 'before' in data;
const IDLE = data.kinds.findIndex((kind) => kind.name === 'waits for work');
const HAS_WAITS = data.kind.includes(String(IDLE));
const LEAST = 1;		/* px of the narrowest frame that is drawn */
const READABLE = 16;		/* px of a match that is gone to */
/* What would turn the letters around that follow it is shown as no letter. */
data.names = data.names.map((name) => name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd'));

const STEPS = [0, 0.002, 0.03, 0.15, 0.5];	/* of colours for changes, as in flame.c */
const SPACE = '\u202f';	/* between groups of digits */

const dark = matchMedia('(prefers-color-scheme: dark)');
const coarse = matchMedia('(pointer: coarse)');

function parse(value) {
	return BIG ? BigInt(value) : Number(value);
}

/* ---- Trees: nodes depth first; those inside of node i are i + 1 to end[i] - 1 ---- */

function newTree(count) {
	return {
		count,
		name: new Int32Array(count),
		parent: new Int32Array(count),
		depth: new Int32Array(count),
		end: new Int32Array(count),
		self: new Times(count),
		selfBefore: new Times(count),
		now: new Times(count),
		before: new Times(count),
		greatest: 0,
	};
}

function kindOf(tree, node) {
	return node ? data.kind.charCodeAt(tree.name[node]) - 48 : -1;
}

function nameOf(tree, node) {
	return node ? data.names[tree.name[node]] : 'all';
}

/* Parents come before what is inside of them. */
function sumUp(tree) {
	const { parent, end, now, before } = tree;

	now.set(tree.self);
	before.set(tree.selfBefore);
	for (let i = 0; i < tree.count; i++)
		end[i] = i + 1;
	for (let i = tree.count - 1; i > 0; i--) {
		const up = parent[i];

		now[up] += now[i];
		before[up] += before[i];
		if (end[up] < end[i])
			end[up] = end[i];
		if (DIFFERENCE)
			tree.greatest = Math.max(tree.greatest, Math.abs(Number(now[i]) - Number(before[i])));
	}
	return tree;
}

/* The tree as it is in the file, with or without waits for work. */
function readTree(waits) {
	const tree = newTree(data.up.length + 1);
	let before = 0;

	tree.self[0] = parse(data.self_of_all[0]);
	tree.selfBefore[0] = parse(data.self_of_all[1]);
	for (let i = 1; i < tree.count; i++) {
		let up = before;

		for (let n = data.up[i - 1]; n; n--)
			up = tree.parent[up];
		tree.name[i] = data.name[i - 1];
		tree.parent[i] = up;
		tree.depth[i] = tree.depth[up] + 1;
		before = i;
		if (!waits && kindOf(tree, i) === IDLE)
			continue;
		tree.self[i] = parse(data.self[i - 1]);
		if (DIFFERENCE)
			tree.selfBefore[i] = parse(data.before[i - 1]);
	}
	return sumUp(tree);
}

/*
 * The same stacks with the innermost frame first. A group is of stacks that are the same up
 * to some frame; it becomes a node, and is divided by the frames that come next.
 */
function turnAround(tree) {
	const stacks = [];	/* the innermost frame of each */
	const out = { name: [0], parent: [0], depth: [0], self: [tree.self[0]], selfBefore: [tree.selfBefore[0]] };
	const todo = [];

	function divide(group, at, parent, depth) {
		const parts = new Map();

		for (let i = 0; i < group.length; i++) {
			const stack = group[i], name = tree.name[at[i]];
			let part = parts.get(name);

			if (!part)
				parts.set(name, part = { name, parent, depth, group: [], at: [], now: ZERO, before: ZERO });
			part.group.push(stack);
			part.at.push(at[i]);
			part.now += tree.self[stack];
			part.before += tree.selfBefore[stack];
		}
		const sorted = [...parts.values()].sort((a, b) =>
			Math.max(Number(a.now), Number(a.before)) - Math.max(Number(b.now), Number(b.before)));

		/* The greatest one is taken first, so it is put there last. A call has no room for them all. */
		for (const part of sorted)
			todo.push(part);
	}

	function add(part) {
		out.name.push(part.name);
		out.parent.push(part.parent);
		out.depth.push(part.depth);
		out.self.push(ZERO);
		out.selfBefore.push(ZERO);
		return out.name.length - 1;
	}

	/* What one stack has for itself is a chain of callers. */
	function addChain(stack, at, parent, depth) {
		let node = parent;

		for (; at; at = tree.parent[at])
			node = add({ name: tree.name[at], parent: node, depth: depth++ });
		out.self[node] += tree.self[stack];
		out.selfBefore[node] += tree.selfBefore[stack];
	}

	for (let i = 1; i < tree.count; i++)
		if (tree.self[i] || tree.selfBefore[i])
			stacks.push(i);
	divide(stacks, stacks, 0, 1);
	while (todo.length) {
		const part = todo.pop();

		if (part.group.length === 1) {
			addChain(part.group[0], part.at[0], part.parent, part.depth);
			continue;
		}
		const node = add(part), rest = [], at = [];

		part.group.forEach((stack, i) => {
			const up = tree.parent[part.at[i]];

			if (up) {
				rest.push(stack);
				at.push(up);
			} else {
				out.self[node] += tree.self[stack];
				out.selfBefore[node] += tree.selfBefore[stack];
			}
		});
		divide(rest, at, node, part.depth + 1);
	}

	const turned = newTree(out.name.length);

	for (const list of Object.keys(out))
		turned[list].set(out[list]);
	return sumUp(turned);
}

/* ---- What is shown ---- */

const state = { up: false, waits: true, byBefore: false, search: '', zoom: 0 };
const trees = new Map();
let tree, rows = [], selected = -1, asked = false;	/* asked: to be drawn */
let matches = null;	/* of the search: { names, until, order, now, before, at } */

function treeOf(up, waits) {
	const key = `${up} ${waits}`;

	if (!trees.has(key))
		trees.set(key, up ? turnAround(treeOf(false, waits)) : readTree(waits));
	return trees.get(key);
}

function weight(node) {
	return Number((state.byBefore ? tree.before : tree.now)[node]);
}

/* ---- Words ---- */

function grouped(number) {
	return String(number).replace(/\B(?=(\d{3})+$)/g, SPACE);
}

function exact(time) {
	return `${grouped(BigInt(time))} ${data.unit}`;
}

/* As the command line says it. */
function length(time) {
	const ns = BigInt(time);
	let unit = 1000n, i = 0;

	if (data.unit !== 'ns' || ns < 1000n)
		return exact(time);
	for (; i < 2 && ns >= unit * 1000n; i++)
		unit *= 1000n;
	return `${grouped(ns / unit)}.${String(ns / (unit / 1000n) % 1000n).padStart(3, '0')} ${['µs', 'ms', 's'][i]}`;
}

function share(part, whole) {
	return `${(whole ? 100 * Number(part) / Number(whole) : 0).toFixed(1)}%`;
}

function change(now, before) {
	return now < before ? `−${length(before - now)}` : `+${length(now - before)}`;
}

/* What is to be said of a node: its name, and lines. */
function describe(node) {
	const kind = data.kinds[kindOf(tree, node)];
	const now = tree.now[node], lines = [];
	let figures = `${length(now)}, ${share(now, tree.now[0])} of all`;

	if (state.zoom)
		figures += `, ${share(now, tree.now[state.zoom])} of ${nameOf(tree, state.zoom)}`;
	lines.push(figures);
	if (DIFFERENCE) {
		const before = tree.before[node];

		lines.push(`before ${length(before)}, ${share(before, tree.before[0])} of all: ${change(now, before)}`);
	}
	lines.push(exact(now) + (tree.self[node] && tree.self[node] !== now ?
		`, ${length(tree.self[node])} with nothing inside` : ''));
	return { name: nameOf(tree, node), kind: kind ? kind.about : '', lines };
}

function describeBox(box) {
	if (box.node >= 0)
		return describe(box.node);
	return {
		name: `${grouped(box.frames)} ${box.frames === 1 ? 'frame' : 'frames'} that ${box.frames === 1 ? 'is' : 'are'} too narrow here`,
		kind: '',
		lines: [`${length(box.now)}, ${share(box.now, tree.now[0])} of all`, 'zoom in to see them'],
	};
}

/* ---- The page ---- */

function make(what, attributes = {}, ...children) {
	const element = document.createElement(what);

	for (const [name, value] of Object.entries(attributes))
		element.setAttribute(name, value);
	element.append(...children);
	return element;
}

function button(text, help, action) {
	const element = make('button', { type: 'button', title: help }, text);

	element.addEventListener('click', action);
	return element;
}

const search = make('input', { type: 'search', id: 'search', placeholder: 'search (regexp)',
	'aria-label': 'search frames by a regular expression', spellcheck: 'false', autocomplete: 'off' });
const previous = button('‹', 'the match before (N)', () => step(-1));
const next = button('›', 'the next match (n)', () => step(1));
const result = make('span', { id: 'result', role: 'status' });
const down = button('Top-down', 'from who called to what was called (b)', () => go({ up: false, zoom: 0 }));
const up = button('Bottom-up', 'from where it was to who called (b)', () => go({ up: true, zoom: 0 }));
const waits = make('input', { type: 'checkbox', id: 'waits' });
const widths = button('Widths: after', 'frames are as wide as they are after, or as they were before (d)',
	() => go({ byBefore: !state.byBefore }));
const out = button('Whole picture', 'zoom out (Home)', () => go({ zoom: 0 }));
const help = button('?', 'keys (?)', () => dialog.showModal());
const canvas = make('canvas');
const rowsBelow = make('div', { class: 'rows' });
const chart = make('div', { id: 'chart', tabindex: '0', role: 'img' }, canvas, rowsBelow);
const status = make('div', { id: 'status', 'aria-live': 'polite' });
const legend = make('div', { class: 'legend' });
const tip = make('div', { id: 'tip', hidden: '' });
const paper = canvas.getContext('2d');
const KEYS = [
	['/', 'search'], ['n  N', 'the next match, the greatest first; the one before'],
	['← → ↑ ↓', 'choose another frame'], ['Enter', 'zoom to the chosen frame'],
	['Esc', 'end the search, then the choice, then the zoom'], ['Home', 'the whole picture'],
	['b', 'turn the stacks around: bottom-up, top-down'],
];
if (HAS_WAITS)
	KEYS.push(['w', 'with or without waits for work']);
if (DIFFERENCE)
	KEYS.push(['d', 'widths of after, or of before']);
KEYS.push(['?', 'this help']);
const dialog = make('dialog', {}, make('h2', {}, 'Keys'), make('dl', {}, ...KEYS.flatMap(([keys, what]) =>
	[make('dt', {}, ...keys.split('  ').flatMap((key) => [make('kbd', {}, key), ' '])), make('dd', {}, what)])),
make('p', {}, 'A click zooms. With a finger, the first tap chooses a frame, and the second one zooms. ',
	'A search in small letters finds capital ones, too.'),
button('Close', 'Esc', () => dialog.close()));

function buildPage() {
	const bar = make('div', { class: 'bar', role: 'toolbar' },
		make('div', { class: 'group search' }, search, previous, next),
		make('div', { class: 'group' }, down, up));

	if (HAS_WAITS)
		bar.append(make('label', { title: 'with or without waits for work (w)' }, waits, 'waits for work'));
	if (DIFFERENCE)
		bar.append(widths);
	bar.append(make('div', { class: 'group' }, help, out), result);
	document.body.append(bar, chart, make('footer', {}, status, legend), tip, dialog);
	document.body.classList.add('drawn');
}

function swatch(color) {
	const element = make('i');

	element.style.background = color;
	return element;
}

function paintLegend() {
	const theme = dark.matches ? 1 : 0;

	legend.replaceChildren();
	if (DIFFERENCE) {
		const scale = make('span', { class: 'scale' }, make('em', {}, 'less'));

		scale.append(...data.less.slice(1).reverse().map((color) => swatch(color[theme])),
			...data.more.map((color) => swatch(color[theme])), make('em', {}, 'more than before; at the left of a frame:'));
		legend.append(scale);
	}
	data.kinds.forEach((kind, i) => {
		if (data.kind.includes(String(i)))
			legend.append(make('span', { title: kind.about }, swatch(kind.colors[theme]), kind.name));
	});
}

/* ---- Layout: the boxes of each row, from left to right ---- */

const MARGIN = 8;

function rowHeight() {
	return coarse.matches ? 26 : 20;
}

/* Boxes of what is inside of a node. What is too narrow becomes one box with its neighbours. */
function placeInside(node, x, perTime, todo) {
	let run = null;

	function endRun() {
		if (run && run.w >= LEAST)
			(rows[run.row] ??= []).push(run);
		run = null;
	}

	for (let child = node + 1; child < tree.end[node]; child = tree.end[child]) {
		const w = weight(child) * perTime;

		if (w >= LEAST) {
			endRun();
			todo.push({ node: child, x, w });
		} else if (w > 0) {
			run ??= { node: -1, x, w: 0, row: tree.depth[child], from: child, frames: 0, now: ZERO };
			run.w += w;
			run.to = tree.end[child];
			run.frames += tree.end[child] - child;
			run.now += (state.byBefore ? tree.before : tree.now)[child];
		}
		x += w;
	}
	endRun();
}

function layOut() {
	const width = chart.clientWidth - 2 * MARGIN, zoom = state.zoom;
	const perTime = weight(zoom) ? width / weight(zoom) : 0;
	const todo = [{ node: zoom, x: MARGIN, w: width }];

	rows = [];
	for (let node = tree.parent[zoom], i = zoom; i; i = node, node = tree.parent[node])
		rows[tree.depth[node]] = [{ node, x: MARGIN, w: width, outer: true }];
	while (todo.length) {
		const box = todo.pop();

		(rows[tree.depth[box.node]] ??= []).push(box);
		if (perTime)
			placeInside(box.node, box.x, perTime, todo);
	}
	for (const row of rows)
		row.sort((a, b) => a.x - b.x);
	rowsBelow.style.height = `${rows.length * rowHeight() + 8}px`;
}

/* ---- Drawing ---- */

let letterWidth = 7;
const FONT = '12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

function colorOf(node) {
	const theme = dark.matches ? 1 : 0;

	if (DIFFERENCE) {
		const now = Number(tree.now[node]), before = Number(tree.before[node]);
		const part = tree.greatest ? Math.abs(now - before) / tree.greatest : 0;
		let i = STEPS.length - 1;

		while (part < STEPS[i])
			i--;
		return (now > before ? data.more : data.less)[i][theme];
	}
	if (!node)
		return dark.matches ? '#2a3037' : '#e9ebee';
	return data.kinds[kindOf(tree, node)].colors[theme];
}

function hasMatch(box) {
	if (!matches)
		return true;
	if (box.node >= 0)
		return box.node > 0 && matches.names[tree.name[box.node]] === 1;
	return matches.until[box.to] > matches.until[box.from];
}

function drawLabel(box, y, height, ink) {
	const room = Math.floor((box.w - 8 - (DIFFERENCE ? 3 : 0)) / letterWidth);
	let text = nameOf(tree, box.node);

	if (room < 2)
		return;
	if (text.length > room)
		text = room < 4 ? '' : `${text.slice(0, room - 1)}…`;
	paper.fillStyle = ink;
	paper.fillText(text, box.x + 4 + (DIFFERENCE ? 3 : 0), y + height / 2);
}

function drawBox(box, y, height) {
	const light = !dark.matches, found = hasMatch(box);
	const w = box.w > 3 ? box.w - 1 : box.w;

	paper.globalAlpha = found ? 1 : 0.32;
	if (box.node < 0) {
		paper.fillStyle = light ? '#d3d6da' : '#30363d';
		paper.fillRect(box.x, y + height / 4, w, height / 2);
		paper.globalAlpha = 1;
		return;
	}
	if (box.outer)
		paper.globalAlpha = found && matches ? 1 : 0.55;
	paper.fillStyle = colorOf(box.node);
	paper.fillRect(box.x, y, w, height - 1);
	if (DIFFERENCE && box.node && w > 6) {
		paper.fillStyle = data.kinds[kindOf(tree, box.node)].colors[dark.matches ? 1 : 0];
		paper.fillRect(box.x, y, 4, height - 1);
	}
	drawLabel(box, y, height, light ? '#1b1f24' : '#f0f2f4');
	paper.globalAlpha = 1;
	if (matches && found) {
		paper.fillStyle = light ? '#1b1f24' : '#f0f2f4';
		paper.fillRect(box.x, y + height - 3, w, 2);
	}
	if (box.node === selected) {
		paper.strokeStyle = light ? '#0b5cad' : '#9fd0ff';
		paper.lineWidth = 2;
		paper.strokeRect(box.x + 1, y + 1, Math.max(w - 2, 1), height - 3);
	}
}

function draw() {
	const scale = devicePixelRatio || 1, width = chart.clientWidth, height = chart.clientHeight;
	const step = rowHeight(), first = Math.floor(chart.scrollTop / step);

	asked = false;
	if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
	}
	paper.setTransform(scale, 0, 0, scale, 0, 0);
	paper.clearRect(0, 0, width, height);
	paper.font = FONT;
	paper.textBaseline = 'middle';
	letterWidth = paper.measureText('mmmmmmmmmm').width / 10;
	for (let row = first; row < rows.length; row++) {
		const y = row * step - chart.scrollTop + 4;

		if (y > height)
			break;
		for (const box of rows[row])
			drawBox(box, y, step);
	}
}

function repaint() {
	if (asked)
		return;
	asked = true;
	requestAnimationFrame(draw);
}

/* ---- Search ---- */

function findMatches() {
	let regexp;

	matches = null;
	search.removeAttribute('aria-invalid');
	result.className = '';
	if (!state.search)
		return;
	try {
		regexp = new RegExp(state.search, /[A-Z]/.test(state.search) ? '' : 'i');
	} catch (error) {
		search.setAttribute('aria-invalid', 'true');
		result.className = 'bad';
		result.textContent = `This is no regular expression: ${error.message.replace(/^.*: /, '')}.`;
		return;
	}
	const names = Uint8Array.from(data.names, (name) => regexp.test(name) ? 1 : 0);
	const until = new Int32Array(tree.count + 1), order = [];

	for (let i = 0; i < tree.count; i++) {
		const found = i && names[tree.name[i]] && (tree.now[i] || tree.before[i]);

		until[i + 1] = until[i] + (found ? 1 : 0);
		if (found)
			order.push(i);
	}
	order.sort((a, b) => weight(b) - weight(a) || a - b);
	matches = { names, until, order, at: -1 };
}

/* The time that has a match, each only once. */
function matchedTime(times, from, to) {
	let sum = ZERO;

	for (let i = from; i < to;) {
		if (i && matches.names[tree.name[i]]) {
			sum += times[i];
			i = tree.end[i];
		} else {
			i++;
		}
	}
	return sum;
}

function inside(node, outer) {
	return node >= outer && node < tree.end[outer];
}

function zoomHasMatchOutside() {
	for (let i = state.zoom; i; i = tree.parent[i])
		if (matches.names[tree.name[i]])
			return true;
	return false;
}

function sayResult() {
	previous.disabled = next.disabled = !matches || !matches.order.length;
	if (!matches) {
		if (!result.className) {
			result.textContent = '';
			result.title = '';
		}
		return;
	}
	const now = matchedTime(tree.now, 0, tree.count), n = matches.order.length;
	let text = `${share(now, tree.now[0])} of all, ${length(now)}`;

	if (state.zoom) {
		const part = zoomHasMatchOutside() ? tree.now[state.zoom] :
			matchedTime(tree.now, state.zoom, tree.end[state.zoom]);

		text += `; ${share(part, tree.now[state.zoom])} of what is zoomed`;
	}
	if (DIFFERENCE) {
		const before = matchedTime(tree.before, 0, tree.count);

		text += `; before ${share(before, tree.before[0])}, ${length(before)}`;
	}
	text += matches.at >= 0 ? `; ${matches.at + 1} of ${n}` : `; ${grouped(n)} ${n === 1 ? 'frame' : 'frames'}`;
	result.textContent = n ? text : 'no frame matches';
	result.title = exact(now);
}

/* Goes to the next match, or to the one before; zooms so far that it can be read. */
function step(by) {
	if (!matches || !matches.order.length)
		return;
	const n = matches.order.length;

	matches.at = matches.at < 0 ? (by > 0 ? 0 : n - 1) : (matches.at + by + n) % n;
	const node = matches.order[matches.at], width = chart.clientWidth;
	let zoom = state.zoom;

	selected = node;
	if (!inside(node, zoom) || weight(node) / weight(zoom) * width < READABLE)
		for (zoom = 0; weight(node) / weight(zoom) * width < READABLE && zoom !== node;)
			for (zoom++; !inside(node, zoom);)
				zoom = tree.end[zoom];
	if (zoom !== state.zoom)
		go({ zoom }, node);
	sayResult();
	show(node);
}

/* ---- State ---- */

function fragment() {
	const words = new URLSearchParams();

	if (state.up)
		words.set('view', 'bottom-up');
	if (!state.waits)
		words.set('waits', 'off');
	if (state.byBefore)
		words.set('widths', 'before');
	if (state.search)
		words.set('search', state.search);
	if (state.zoom)
		words.set('zoom', state.zoom);
	return `#${words}`;
}

/* Shows what the fragment says. */
function load() {
	const words = new URLSearchParams(location.hash.slice(1));

	state.up = words.get('view') === 'bottom-up';
	state.waits = !HAS_WAITS || words.get('waits') !== 'off';
	state.byBefore = DIFFERENCE && words.get('widths') === 'before';
	state.search = words.get('search') || '';
	tree = treeOf(state.up, state.waits);
	state.zoom = Number(words.get('zoom')) || 0;
	if (!(Number.isInteger(state.zoom) && state.zoom > 0 && state.zoom < tree.count))
		state.zoom = 0;
	refresh();
}

function refresh() {
	down.setAttribute('aria-pressed', String(!state.up));
	up.setAttribute('aria-pressed', String(state.up));
	waits.checked = state.waits;
	widths.textContent = `Widths: ${state.byBefore ? 'before' : 'after'}`;
	out.hidden = !state.zoom;
	if (search.value !== state.search)
		search.value = state.search;
	chart.setAttribute('aria-label', `flame graph of ${length(tree.now[0])}; arrow keys choose a frame`);
	findMatches();
	sayResult();
	layOut();
	say(selected >= 0 ? describe(selected) : null);
	repaint();
}

/* Another picture, which back comes back from. */
function go(changes, select = -1) {
	Object.assign(state, changes);
	if ('up' in changes || 'waits' in changes || 'zoom' in changes)
		selected = select;
	tip.hidden = true;
	const at = matches ? matches.at : -1;

	if (location.hash !== fragment() && !(fragment() === '#' && !location.hash))
		history.pushState(null, '', fragment());
	tree = treeOf(state.up, state.waits);
	refresh();
	if (matches && select >= 0)
		matches.at = at;
	if ('zoom' in changes)
		scrollTo(tree.depth[state.zoom]);
}

let typed = 0;

function type() {
	clearTimeout(typed);
	typed = setTimeout(() => {
		state.search = search.value;
		history.replaceState(null, '', fragment());
		findMatches();
		sayResult();
		repaint();
	}, 100);
}

/* What was typed counts at once. */
function takeSearch() {
	clearTimeout(typed);
	if (state.search === search.value)
		return;
	state.search = search.value;
	history.replaceState(null, '', fragment());
	findMatches();
	sayResult();
	repaint();
}

/* ---- Frames that are pointed at, or chosen ---- */

function say(what) {
	status.replaceChildren();
	if (!what) {
		const sum = DIFFERENCE ?
			`${length(tree.now[0])} after, ${length(tree.before[0])} before, ${change(tree.now[0], tree.before[0])}` :
			`${length(tree.now[0])} in all`;

		status.append(`${sum}, of ${grouped(data.stacks)} ${data.stacks === 1 ? 'stack' : 'stacks'}. `,
			make('span', { class: 'keys' }, 'Click a frame to zoom; ? lists the keys.'));
		return;
	}
	status.append(make('b', {}, what.name), what.kind ? ` (${what.kind}): ` : ': ', what.lines.join('; '));
}

function scrollTo(row) {
	const step = rowHeight(), top = row * step;

	if (top < chart.scrollTop)
		chart.scrollTop = Math.max(0, top - step);
	else if (top + 2 * step > chart.scrollTop + chart.clientHeight)
		chart.scrollTop = top + 3 * step - chart.clientHeight;
}

function show(node) {
	selected = node;
	say(describe(node));
	scrollTo(tree.depth[node]);
	repaint();
}

function boxAt(event) {
	const place = canvas.getBoundingClientRect();
	const x = event.clientX - place.left, y = event.clientY - place.top + chart.scrollTop - 4;
	const row = rows[Math.floor(y / rowHeight())] || [];

	return row.find((box) => x >= box.x && x < box.x + Math.max(box.w, 1)) || null;
}

function showTip(box, event) {
	const what = describeBox(box);

	tip.replaceChildren(make('b', {}, what.name));
	for (const line of [what.kind, ...what.lines].filter(Boolean))
		tip.append(make('div', {}, line));
	tip.hidden = false;
	const width = tip.offsetWidth, height = tip.offsetHeight;
	const x = Math.max(8, Math.min(event.clientX + 14, innerWidth - width - 8));
	const y = event.clientY + 20 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 20;

	tip.style.transform = `translate(${x}px, ${Math.max(8, y)}px)`;
}

function point(event) {
	if (event.pointerType === 'touch')
		return;
	const box = boxAt(event);

	canvas.style.cursor = box ? 'pointer' : 'default';
	tip.hidden = !box;
	if (box)
		showTip(box, event);
}

function click(event) {
	const box = boxAt(event);

	tip.hidden = true;
	chart.focus({ preventScroll: true });
	if (!box)
		return;
	/* Of frames that are too narrow, the place where they are is zoomed. */
	const parent = box.node < 0 ? tree.parent[box.from] : -1;
	const node = box.node >= 0 ? box.node : parent === state.zoom ? box.from : parent;

	if (event.pointerType === 'touch' && selected !== node && box.node >= 0)
		show(node);
	else
		go({ zoom: node }, node);
}

/* Arrow keys: to the caller, to the greatest callee, to the neighbours. */
function choose(key) {
	if (selected < 0 || !inside(selected, state.zoom) && !inside(state.zoom, selected))
		return show(state.zoom);
	if (key === 'ArrowUp')
		return show(tree.parent[selected]);
	if (key === 'ArrowDown') {
		let best = -1;

		if (inside(state.zoom, selected) && selected !== state.zoom) {
			for (best = selected + 1; !inside(state.zoom, best);)
				best = tree.end[best];
			return show(best);
		}
		for (let child = selected + 1; child < tree.end[selected]; child = tree.end[child])
			if (weight(child) > 0 && (best < 0 || weight(child) > weight(best)))
				best = child;
		return best < 0 ? undefined : show(best);
	}
	const row = (rows[tree.depth[selected]] || []).filter((box) => box.node >= 0);
	const at = row.findIndex((box) => box.node === selected) + (key === 'ArrowLeft' ? -1 : 1);

	return row[at] ? show(row[at].node) : undefined;
}

function escape() {
	if (search.value || state.search) {
		search.value = '';
		takeSearch();
	} else if (selected >= 0 && selected !== state.zoom) {
		selected = -1;
		say(null);
		repaint();
	} else if (state.zoom) {
		go({ zoom: 0 });
	}
	tip.hidden = true;
}

const ACTIONS = {
	'/': () => { search.focus(); search.select(); },
	'?': () => dialog.showModal(),
	'n': () => step(1),
	'N': () => step(-1),
	'b': () => go({ up: !state.up, zoom: 0 }),
	'w': () => HAS_WAITS && go({ waits: !state.waits, zoom: 0 }),
	'd': () => DIFFERENCE && go({ byBefore: !state.byBefore }),
	'Home': () => { go({ zoom: 0 }); chart.scrollTop = 0; },
	'Enter': () => selected >= 0 && go({ zoom: selected }, selected),
	'Escape': escape,
	'ArrowUp': choose, 'ArrowDown': choose, 'ArrowLeft': choose, 'ArrowRight': choose,
};

function press(event) {
	if (dialog.open || event.ctrlKey || event.altKey || event.metaKey)
		return;
	if (event.target === search) {
		if (event.key === 'Escape' && !search.value)
			chart.focus();
		else if (event.key === 'Escape')
			escape();
		else if (event.key === 'Enter') {
			takeSearch();
			step(event.shiftKey ? -1 : 1);
		} else
			return;
	} else if (event.target.closest('button, label, input') && event.key === 'Enter') {
		return;
	} else if (Object.hasOwn(ACTIONS, event.key)) {
		ACTIONS[event.key](event.key);
	} else {
		return;
	}
	event.preventDefault();
}

function themed() {
	paintLegend();
	repaint();
}

buildPage();
paintLegend();
search.addEventListener('input', type);
search.addEventListener('search', takeSearch);
waits.addEventListener('change', () => go({ waits: waits.checked, zoom: 0 }));
chart.addEventListener('scroll', () => { tip.hidden = true; repaint(); });
canvas.addEventListener('pointermove', point);
canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
canvas.addEventListener('click', click);
document.addEventListener('keydown', press);
addEventListener('popstate', () => { selected = -1; load(); });
dark.addEventListener('change', themed);
new ResizeObserver(() => { layOut(); repaint(); }).observe(chart);
load();
})();

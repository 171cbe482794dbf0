// What pages do when the reader acts. One classic script without framework or build step; it works
// from disk, below any path and under the pages' Content-Security-Policy. Pages are complete
// without it, and nothing changes after load unless the reader asks.
"use strict";
{
// ---- The engine: what src/standings/{interval,speedup,ranking}.rs compute, and how
// src/site/format.rs prints it. It knows no page; Node loads it for the tests. Its data is
// <study>/data/records.js, where things are named by their place in a list.

const { log, exp, sqrt, min, max } = Math;
const sum = (values) => values.reduce((a, b) => a + b, 0);

// Intervals. A quantity in logs is {v, lo, hi, rounds}: its value, the hard bounds of published
// digits relative to it, and per round [number, value] with the digits of sampled medians.
const ONE = { v: 0, lo: 0, hi: 0 };
const isOne = (q) => !(q.v || q.lo || q.hi || q.rounds);

function quantity(value, low, high, rounds) {
	const v = log(value);
	const lo = min(log(low) - v, 0), hi = max(log(high) - v, 0);
	if (!rounds) return { v, lo, hi };
	return { v, lo: 0, hi: 0, rounds: { at: rounds.map(([n, us]) => [n, log(us)]), lo, hi } };
}

const inRound = (rounds, n) => (rounds.at.find((round) => round[0] === n) ?? [n, NaN])[1];

// A weighted sum, round by round over the rounds that all sampled parts share.
function combine(parts) {
	const sampled = parts.filter(([, q]) => q.rounds);
	if (!sampled.length) return undefined;
	const at = sampled[0][1].rounds.at
		.map(([n]) => [n, sum(parts.map(([w, q]) => w * (q.rounds ? inRound(q.rounds, n) : q.v)))])
		.filter(([, value]) => !Number.isNaN(value));
	const ends = sampled.map(([w, { rounds }]) => [w * rounds.lo, w * rounds.hi]);
	return { at, lo: sum(ends.map((e) => min(...e))), hi: sum(ends.map((e) => max(...e))) };
}

const over = (a, b) => (
	{ v: a.v - b.v, lo: a.lo - b.hi, hi: a.hi - b.lo, rounds: combine([[1, a], [-1, b]]) }
);

function geomean(parts) {
	const weight = 1 / parts.length;
	const mean = (key) => sum(parts.map((q) => q[key])) * weight;
	const rounds = combine(parts.map((q) => [weight, q]));
	return { v: mean("v"), lo: mean("lo"), hi: mean("hi"), rounds };
}

// The value stays, the bounds hold all that may be the fastest instead.
function fastestOf(own, rivals) {
	let { v, lo, hi, rounds } = own;
	for (const rival of rivals) {
		if (rounds && rival.rounds) {
			const lower = ([n, x]) => [n, inRound(rival.rounds, n) < x ? inRound(rival.rounds, n) : x];
			rounds = { ...rounds, at: rounds.at.map(lower) };
		} else {
			const [low, high] = bounds(rival) ?? [rival.v, rival.v];
			lo = min(lo, low - v);
			hi = max(min(hi, high - v), 0);
		}
	}
	return { v, lo, hi, rounds };
}

// Of the study that is open: the 0.975 quantiles of Student's t, from one degree of freedom on.
let t, tieBand;

function bounds({ v, lo, hi, rounds }) {
	let low = v, high = v;
	if (rounds) {
		const k = rounds.at.length, x = rounds.at.map((round) => round[1]);
		if (k < 2) return undefined;
		const mean = sum(x) / k;
		const deviation = sqrt(sum(x.map((value) => (value - mean) * (value - mean))) / (k - 1));
		const half = t[k - 2] * deviation / sqrt(k);
		low = min(mean - half, v + rounds.lo);
		high = max(mean + half, v + rounds.hi);
	}
	return [low + lo, high + hi];
}

function judged(value, low, high, kind = "published digits") {
	const band = 1 + tieBand, verdict = low > band ? "faster" : high < 1 / band ? "slower"
		: 1 / band <= low && high <= band ? "tie" : "undecided";
	return { value, low, high, kind, verdict };
}

function estimate(q, value = exp(q.v)) {
	const ends = bounds(q);
	if (!ends) return judged(value, undefined, undefined, "one round: no interval");
	const kind = !q.rounds ? undefined : q.lo || q.hi ? "mixed" : "95 % over rounds";
	return judged(value, min(exp(ends[0]), value), max(exp(ends[1]), value), kind);
}

const meanOf = (cells) => (cells.length > 1 ? estimate(geomean(cells.map((one) => one.q)))
	: cells[0]?.estimate);

// A study out of its data script.
function openData(data) {
	({ t, tieBand } = data);
	const KEYS = ["shape", "implementation", "class_", "status", "value", "low", "high", "last"];
	const row = (of) => Object.fromEntries(KEYS.map((key, at) => [key, of[at]]));
	const byShape = (rows) => {
		const lists = data.shapes.map(() => []);
		for (const one of rows) lists[one.shape].push(one);
		return lists;
	};
	const record = (of) => {
		const r = row(of), q = quantity(r.value, r.low, r.high, r.last);
		return { ...r, q, latency: r.last ? estimate(q, r.value) : judged(r.value, r.low, r.high) };
	};
	const shapes = data.shapes.map(([of, id, name]) => {
		const [folder, operator] = data.operators[of];
		return { of, folder, operator, name, path: `${folder}/${id}` };
	});
	return { ...data, shapes, records: byShape(data.records.map(record)), ratios: byShape(data.ratios.map(row)) };
}

const STATUS = ["not comparable", "failed retest", "failed retest", "not retested", "withdrawn"];

// A board: {classes, shapes, asIs, baseline, contenders}; a side: {id, name, members}.
function grid(study, board) {
	const membersOn = ({ members }, shape) =>
		Array.isArray(members) ? members : members[study.shapes[shape].of] ?? [];
	const eligible = (one) => one.status === 0 || (one.status === 1 && board.asIs);
	const of = (rows, members) => rows.filter((one) => members.includes(one.implementation));

	function fastest(class_, shape, members) {
		const all = of(study.records[shape], members)
			.filter((one) => one.class_ === class_ && eligible(one));
		if (!all.length) return undefined;
		const low = ({ latency }) => latency.low ?? latency.value;
		const record = all.reduce((a, b) => (b.latency.value < a.latency.value ? b : a));
		const ceiling = min(...all.map(({ latency }) => latency.high ?? latency.value));
		const rivals = all.filter((one) => one !== record && low(one) <= ceiling);
		const q = fastestOf(record.q, rivals.map((one) => one.q));
		const sampled = [record, ...rivals].some((one) => one.q.rounds);
		const latency = sampled ? estimate(q, record.value)
			: { ...record.latency, low: min(...[record, ...rivals].map(low)), high: ceiling };
		return { record, q, sampled, latency, failed: record.status === 1 };
	}

	const ratioOf = (above, below) =>
		(above.record === below.record ? ONE : over(above.q, below.q));

	function speedupIn(class_, members, references, shape) {
		const own = fastest(class_, shape, members), base = fastest(class_, shape, references);
		if (own && base) {
			const q = ratioOf(base, own), value = base.latency.value / own.latency.value;
			const direct = !(base.sampled || own.sampled || isOne(q));
			return {
				class_, q, failed: own.failed || base.failed,
				estimate: direct ? judged(value, base.latency.low / own.latency.high,
					base.latency.high / own.latency.low) : estimate(q, value),
			};
		}
		const ratios = of(study.ratios[shape], members).filter((one) => one.class_ === class_
			&& references.includes(one.last) && eligible(one));
		if (!ratios.length) return undefined;
		const ratio = ratios.reduce((a, b) => (b.value > a.value ? b : a));
		const { value, low, high, status } = ratio, q = quantity(value, low, high);
		return { class_, ratio, q, failed: status === 1, estimate: judged(value, low, high) };
	}

	function why(members, references, shape) {
		const all = [...study.records[shape], ...study.ratios[shape]];
		const own = of(all, members), theirs = of(all, references);
		if (!own.some(eligible)) return STATUS[own[0]?.status] ?? "not measured";
		if (theirs.some(eligible)) return "not comparable";
		return theirs.length ? `baseline ${STATUS[theirs[0].status]}` : "no baseline";
	}

	// A contender's speedup on a shape, or the word in its place.
	function speedup(contender, shape) {
		const members = membersOn(contender, shape);
		const references = membersOn(board.baseline, shape);
		for (const class_ of board.classes) {
			const cell = speedupIn(class_, members, references, shape);
			if (cell) return cell;
		}
		const other = board.otherwise?.(shape);
		return other ? { ...other, estimate: estimate(other.q) }
			: { word: why(members, references, shape) };
	}

	const rows = new Map(board.shapes.map((shape) =>
		[shape, board.contenders.map((contender) => speedup(contender, shape))]));

	// Two contenders on a shape on which both count: {q, through}.
	function ratio(first, second, shape) {
		const [a, b] = [first, second].map((at) => rows.get(shape)[at]);
		if (a.word || b.word) return undefined;
		if (!a.ratio && !b.ratio) {
			const shared = a.class_ === b.class_ ? [a.class_] : [];
			for (const class_ of [...shared, ...board.classes]) {
				const [own, theirs] = [first, second].map((at) =>
					fastest(class_, shape, membersOn(board.contenders[at], shape)));
				if (own && theirs) return { q: ratioOf(theirs, own), through: false };
			}
		}
		if (a.ratio && a.ratio === b.ratio) return { q: ONE, through: false };
		return { q: over(a.q, b.q), through: true };
	}

	function compare(first, second, shapes) {
		const ratios = shapes.map((shape) => ratio(first, second, shape)).filter(Boolean);
		const mean = ratios.length ? estimate(geomean(ratios.map((one) => one.q))) : undefined;
		const through = ratios.filter((one) => one.through).length;
		return { first, second, estimate: mean, common: ratios.length, through };
	}

	// Means, comparisons and ranks over some shapes.
	function rank(shapes) {
		const places = board.contenders.map((_, at) => at);
		const comparisons = places.flatMap((first) =>
			places.slice(first + 1).map((second) => compare(first, second, shapes)));
		const standings = places.map((at) => {
			const cells = shapes.map((shape) => rows.get(shape)[at]);
			const counted = cells.filter((cell) => !cell.word);
			const faster = ({ first, second, estimate: e }) =>
				(e?.verdict === "faster" ? second : e?.verdict === "slower" ? first : -1) === at;
			return {
				at, contender: board.contenders[at], estimate: meanOf(counted), counted: counted.length,
				total: shapes.length,
				failed: counted.some((cell) => cell.failed),
				word: [...new Set(cells.map((cell) => cell.word))].join(", ") || "no result",
				rank: counted.length ? 1 + comparisons.filter(faster).length : undefined,
			};
		});
		const mean = (one) => one.estimate?.value ?? 0;
		standings.sort((a, b) => (a.rank ?? 1e9) - (b.rank ?? 1e9) || mean(b) - mean(a)
			|| (a.contender.id < b.contender.id ? -1 : 1));
		return { standings, comparisons };
	}

	return { rows, ratio, compare, rank, study, board };
}

// Numbers as text, rounded half to even on the exact value, as the build does.
function significant(value, digits = 3) {
	const [mantissa, exponent] = value.toExponential(digits + 30).split("e");
	const isTie = /^50*$/.test(mantissa.slice(digits + 1));
	const isEven = mantissa[digits] % 2 === 0;
	const rounded = isTie && isEven ? Number(`${mantissa.slice(0, digits + 1)}e${exponent}`)
		: Number(value.toExponential(digits - 1));
	const shown = rounded.toExponential().split("e")[1];
	return rounded.toFixed(max(0, digits - 1 - shown));
}

function interval({ low, high }) {
	if (low === undefined) return "";
	for (let digits = 3; digits <= 6; digits += 1) {
		const ends = [significant(low, digits), significant(high, digits)];
		if (ends[0] !== ends[1]) return ends.join("–");
	}
	return significant(low);
}

const times = (value) => `${significant(value)}×`;

if (typeof module === "object") {
	module.exports = { openData, grid, significant, interval, times };
}

// ---- The page.

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
// Markup with its values escaped; lists are joined.
class Markup extends String {}
function escape(value) {
	if (value instanceof Markup) return value;
	if (Array.isArray(value)) return value.map(escape).join("");
	return String(value || value === 0 ? value : "").replace(/[&<>"]/g, (c) => `&#${c.charCodeAt()};`);
}
const html = (parts, ...values) => new Markup(String.raw({ raw: parts }, ...values.map(escape)));
const element = (markup) =>
	document.createRange().createContextualFragment(markup).firstElementChild;

// State lives in the query of the address; what shows it is in `views`.
const views = new Map();
const read = (key) => new URLSearchParams(location.search).get(key) ?? "";
const list = (key) => read(key).split(",").filter(Boolean);
function write(changes, replace) {
	const query = new URLSearchParams(location.search);
	for (const key in changes) query.set(key, changes[key]);
	for (const [key, value] of [...query]) if (!value) query.delete(key);
	const address = `${location.pathname}?${query}`.replace(/\?$/, "") + location.hash;
	history[replace ? "replaceState" : "pushState"](0, "", address);
}

// Data comes as scripts that assign a global, since `fetch` fails from disk.
let site;
const load = (path, name) => new Promise((done) => {
	const script = document.createElement("script");
	Object.assign(script, { src: site + path, onload: () => done(window[name]) });
	document.head.append(script);
});
const studies = {};
const openStudy = (id) =>
	(studies[id] ??= load(`${id}/data/records.js`, "paceboardRecords").then(openData));

// Tables: sorting, filtering, copying.
const order = new Intl.Collator("en", { numeric: true });
function text(cell, brief) {
	if (!cell) return "";
	const copy = cell.cloneNode(true);
	$$(`svg, sup, .sr, [aria-hidden]${brief ? ", small" : ""}`, copy).forEach((e) => e.remove());
	$$("small, br, li, .badge", copy).forEach((e) => e.before(" "));
	return copy.textContent.replace(/\s+/g, " ").trim();
}
// What a cell is sorted by; null comes last both ways.
function valueOf(cell, isNumber) {
	const shown = text(cell, true), number = parseFloat(cell?.dataset.v ?? shown);
	if (isNumber) return cell?.matches(".word") || Number.isNaN(number) ? null : number;
	return /^(—|none|no(t|body) .*|)$/.test(shown) ? null : shown;
}

function tableTools(table, key) {
	const head = table.tHead.rows[0], body = table.tBodies[0];
	const groups = [], totals = [];
	for (const row of body.rows) {
		if (row.matches(".total")) totals.push(row);
		else if (row.matches(".replication")) groups.at(-1).push(row);
		else groups.push([row]);
	}
	const foot = [...table.tFoot?.rows ?? []];
	const heads = [...head.cells], titles = heads.map((th) => text(th, true));
	const value = (group, at) => text(group[0].cells[at], true);
	const box = element(html`<div class="tooled"><button type="button" class="more-tools" aria-label="Filter and copy: ${text(table.caption, true)}" aria-expanded="false">⋯</button></div>`);
	const more = box.firstChild;
	let bar, status;

	function apply() {
		const [column, way] = read(`${key}.sort`).split(".");
		const th = way && heads[column], sign = way === "d" ? -1 : 1, isNumber = th && th.matches(".num");
		heads.forEach((one) => { one.ariaSort = null; });
		if (th) th.ariaSort = way === "d" ? "descending" : "ascending";
		const sorted = groups.map((group) => [th ? valueOf(group[0].cells[column], isNumber) : 0, group]);
		sorted.sort(([a], [b]) => (th ? (a === null) - (b === null)
			|| sign * (isNumber ? a - b : order.compare(a, b)) : 0));
		body.append(...sorted.flatMap(([, group]) => group), ...totals);

		const words = read(`${key}.q`).toLowerCase().split(/\s+/).filter(Boolean);
		const wanted = titles.map((_, at) => read(`${key}.${at}`));
		if (!bar && (words.length || wanted.some(Boolean))) toggle();
		if (!bar) return;
		$$("input, select", bar).forEach((one) => { one.value = read(`${key}.${one.name}`); });
		const shown = groups.filter((group) => {
			const whole = group.map((row) => row.textContent).join(" ").toLowerCase();
			const fits = words.every((word) => whole.includes(word))
				&& wanted.every((want, at) => !want || value(group, at) === want);
			group.forEach((row) => { row.hidden = !fits; });
			return fits;
		});
		const isPart = shown.length < groups.length;
		// Totals are over all rows.
		[...totals, ...foot].forEach((row) => { row.hidden = isPart; });
		status.textContent = `${shown.length} of ${groups.length}`;
	}

	const rows = () => [head, ...body.rows, ...foot].filter((row) => !row.hidden)
		.map((row) => heads.flatMap((th, at) => (th.matches(".bar-head") ? [] : text(row.cells[at]))));
	const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
	const quote = (cell) => `"${cell.replaceAll('"', '""')}"`;
	const copies = {
		link: () => `${location.href.split("#")[0]}#${table.closest("[id]").id}`,
		Markdown: () => rows().flatMap((row, at) => [line(row), ...at ? [] : [line(row.map(() => "---"))]])
			.join("\n"),
		CSV: () => rows().map((row) => row.map(quote).join(",")).join("\n"),
	};
	function copy(what) {
		const area = element(html`<textarea>${copies[what]()}</textarea>`);
		status.after(area);
		area.select();
		status.textContent = document.execCommand("copy") ? `Copied ${what}` : "Refused";
		area.remove();
	}

	function toggle() {
		if (bar) bar.hidden = !bar.hidden;
		else {
			const selects = titles.map((title, at) => {
				const values = [...new Set(groups.map((group) => value(group, at)))].sort(order.compare);
				const few = values.length > 1 && values.length < min(groups.length, 40);
				return few && !heads[at].matches(".num, .bar-head") && html`<label>${title} <select
					name="${at}"><option value="">all</option>${values.filter(Boolean).map((one) =>
		html`<option>${one}</option>`)}</select></label>`;
			});
			bar = element(html`<div class="tools"><label>Filter <input type="search" name="q"></label>${
				selects}${Object.keys(copies).map((what) =>
				html`<button type="button" value="${what}">Copy ${what}</button>`)}<span role="status"></span></div>`);
			status = bar.lastChild;
			bar.oninput = ({ target }) => {
				write({ [`${key}.${target.name}`]: target.value }, target.name === "q");
				apply();
			};
			bar.onclick = ({ target }) => copies[target.value] && copy(target.value);
			box.append(bar);
			apply();
		}
		more.ariaExpanded = !bar.hidden;
	}
	more.onclick = toggle;
	const scroll = table.closest(".scroll");
	scroll.before(box);
	views.set(key, apply);
	if (location.search) apply();
	if (groups.length < 2) return;
	// Its headers take the focus instead.
	scroll.tabIndex = -1;
	heads.forEach((th, at) => {
		if (!titles[at] || th.matches(".bar-head")) return;
		const sort = element(html`<button type="button" class="sort"></button>`);
		sort.onclick = () => {
			const next = { ascending: `${at}.d`, descending: "" }[th.ariaSort] ?? `${at}.a`;
			write({ [`${key}.sort`]: next });
			apply();
		};
		if ($("a", th)) sort.ariaLabel = `Sort by ${titles[at]}`;
		else sort.append(...th.childNodes);
		th.append(sort);
	});
}

const FAILED = "failed retest, counted as is";
const SIGNS = { faster: ["▲", "good"], slower: ["▼", "bad"], tie: ["=", "even"],
	undecided: ["?", "open"], [FAILED]: ["✗", "bad"] };
function badge(word = "not comparable") {
	const [sign, kind] = SIGNS[word] ?? ["–", "none"];
	return html`<span class="badge ${kind}"><span aria-hidden="true">${sign}</span> ${word}</span> `;
}
const badges = (one) => [badge(one.estimate.verdict), one.failed && badge(FAILED),
	one.through && badge("through the baseline")];
function cell(one) {
	const { estimate: e, rank } = one, count = one.total && `${one.counted} of ${one.total}`;
	if (!e) return html`<td class="word"><b>${one.word}</b><small>${count}</small></td>`;
	return html`<td class="num" data-v="${e.value}"><b>${times(e.value)}</b><small>${
		[interval(e), count].filter(Boolean).join(" · ")}</small><small>${rank && `rank ${rank} `}${
		badges(one)}</small></td>`;
}
// Small bars from the line at 1×, on one logarithmic scale.
function scale(estimates) {
	const all = estimates.filter(Boolean).flatMap((e) => [e.low ?? e.value, e.high ?? e.value]);
	const low = log(min(0.95, ...all)) * 1.04, high = log(max(1.05, ...all)) * 1.04;
	return (value) => (log(value) - low) / (high - low) * 150;
}
function bars(estimates, x, series = 0) {
	const one = x(1), height = estimates.length * 12;
	return html`<td class="bar"><svg class="mini" viewBox="0 0 150 ${height}" width="150" height="${
		height}" aria-hidden="true">${estimates.map((e, at) => e && html`<rect class="s${
		(series + at) % 8}" x="${min(x(e.value), one)}" y="${at * 12 + 2}" width="${
		Math.abs(x(e.value) - one) + 0.5}" height="8"/>${e.low && html`<path class="bound" d="M${
		x(e.low)} ${at * 12 + 6}H${x(e.high)}"/>`}`)}<path class="ref" d="M${one} 0V${height}"/></svg></td>`;
}
const BAR = ["Log scale, line at 1×", "bar-head"];
const td = (content, kind) => html`<td class="${kind}">${content}</td>`;
function show(into, key, caption, heads, rows) {
	const scroll = element(html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
		<table class="results"><caption><span>${caption}</span></caption><thead><tr>${
	heads.map(([title, kind]) => html`<th scope="col" class="${kind}">${title}</th>`)}</tr></thead>
		<tbody>${rows.map(([first, ...rest]) =>
	html`<tr><th scope="row">${first}</th>${rest}</tr>`)}</tbody></table></div>`);
	into.append(scroll);
	tableTools(scroll.firstElementChild, key);
}
// The tables of a board: overall, by operator or shape, pairs.
function render(into, key, { study, board, rows, rank }, byShape) {
	const { shapes, contenders, baseline } = board, { standings, comparisons } = rank(shapes);
	const link = (path, title) =>
		html`<a href="${site}${study.id}/operators/${path}/index.html">${title}</a>`;
	const estimates = (cells) => cells.map((one) => one.estimate);
	const x = scale(estimates(standings));
	show(into, `${key}.overall`, `Overall, speedup over ${baseline.name}, higher is better`,
		[["Contender"], ["Rank", "num"], BAR, ["Geomean", "num"], ["Kind"]],
		standings.map((one) => [one.contender.name, td(one.rank ?? "—", "num"),
			bars([one.estimate], x, one.at), cell({ ...one, rank: "" }),
			td(one.estimate?.kind ?? "none")]));
	const of = byShape ? shapes.map((at) => {
		const { path, name, operator } = study.shapes[at];
		return [[link(path, name), html`<small>${operator}</small>`], rows.get(at)];
	}) : [...new Set(shapes.map((at) => study.shapes[at].folder))].map((folder) => {
		const own = shapes.filter((at) => study.shapes[at].folder === folder);
		return [link(folder, study.shapes[own[0]].operator),
			rank(own).standings.sort((a, b) => a.at - b.at)];
	});
	const y = scale(of.flatMap(([, cells]) => estimates(cells)));
	show(into, `${key}.rows`, `Speedup over ${baseline.name}, higher is better`,
		[[study.labels[byShape ? "shape" : "operator"]],
			...contenders.map((one) => [one.name, "num"]), BAR],
		of.map(([first, cells]) => [first, cells.map(cell), bars(estimates(cells), y)]));
	if (comparisons.length) show(into, `${key}.pairs`, "Contenders against each other",
		[["Pair"], ["Ratio", "num"], ["Common shapes", "num"], ["Through the baseline", "num"]],
		comparisons.map(({ first, second, estimate: e, common, through }) => [
			`${contenders[first].name} over ${contenders[second].name}`,
			cell({ estimate: e, word: "no common shape" }), td(common, "num"), td(through, "num")]));
}

// Another baseline and other shapes of a board, or of an operator on it.
function rebase(container) {
	const { study: id, board: name, operator } = container.dataset;
	const opener = $("button", container), published = $(".published", container);
	const base = `${name}.base`, without = `${name}.without`;
	let panel, status, results;

	async function apply(event) {
		if (!panel && !event && !read(base) && !read(without)) return;
		const study = await openStudy(id), { implementations } = study;
		const board = study.boards.find((one) => one.id === name);
		const shapes = board.shapes.filter((at) => !operator || study.shapes[at].folder === operator);
		const label = study.labels.shape.toLowerCase();
		if (!panel) {
			const here = shapes.flatMap((at) => [...study.records[at], ...study.ratios[at]])
				.flatMap((one) => [one.implementation, one.last]);
			const check = (value, title, more) => html`<label><input type="checkbox" value="${value}"> ${
				title} <small>${more}</small></label>`;
			let last;
			const box = element(html`<div><div class="tools panel"><fieldset><legend>Baseline: fastest of</legend>${
				implementations.map((one, at) => here.includes(at) && check(...one))}</fieldset><fieldset><legend>Of ${label}s</legend>${shapes.map((at) => {
	const one = study.shapes[at], isNew = !operator && last !== one.folder;
	last = one.folder;
	return [isNew && check(last, html`<b>${one.operator}</b>`, "all"), check(one.path, one.name)];
})}</fieldset><button type="button">Reset</button></div><p class="answer" role="status"></p><div></div></div>`);
			[panel, status, results] = box.children;
			published.before(box);
			panel.onchange = () => {
				const values = (of, on) => $$("input", panel.children[of]).filter((one) => one.checked === on)
					.map((one) => one.value);
				write({ [base]: values(0, true), [without]: values(1, false) });
				apply();
			};
			panel.lastChild.onclick = () => { write({ [base]: "", [without]: "" }); apply(); };
		} else if (event) panel.hidden = !panel.hidden;
		opener.ariaExpanded = !panel.hidden;

		const chosen = list(base), left = list(without);
		$$("input", panel).forEach((one) => {
			one.checked = panel.firstChild.contains(one) ? chosen.includes(one.value) : !left.includes(one.value);
		});
		const members = implementations.flatMap(([known], at) => (chosen.includes(known) ? at : []));
		const baseline = members.length
			? { name: members.map((at) => implementations[at][1]).join(" or "), members } : board.baseline;
		const kept = shapes.filter((at) =>
			!left.includes(study.shapes[at].path) && !left.includes(study.shapes[at].folder));
		const isOwn = !members.length && kept.length === shapes.length;
		published.hidden = !isOwn;
		results.replaceChildren();
		status.textContent = isOwn ? ""
			: `Recomputed over ${baseline.name}, on ${kept.length} of ${shapes.length} ${label}s.`;
		if (!isOwn) render(results, name, grid(study, { ...board, baseline, shapes: kept }), operator);
	}
	opener.onclick = apply;
	views.set(container, apply);
}

// Any two implementations of a study, by the rules of whichever board, or of the study as a
// whole, compares them on most shapes.
function compareTwo(container) {
	const { study: id, compare: own } = container.dataset;
	const opener = $("button", container);
	let other, results;

	function pair(study, board, a, b) {
		const side = (at) => ({ name: study.implementations[at][1], members: [at] });
		const of = (baseline, ...contenders) => ({ ...board, baseline, contenders });
		const back = grid(study, of(side(a), side(b))).rows;
		const both = board.baseline && grid(study, of(board.baseline, side(a), side(b)));
		const otherwise = (shape) =>
			(back.get(shape)[0].word ? both?.ratio(0, 1, shape) : { q: over(ONE, back.get(shape)[0].q) });
		const here = grid(study, { ...of(side(b), side(a)), otherwise });
		const cells = [...here.rows.values()].flat().filter((one) => !one.word);
		return { here, n: cells.length, count: (of) => cells.filter((one) => one.estimate.verdict === of).length };
	}

	async function apply(event) {
		if (!other && !event && !read("with")) return;
		const study = await openStudy(id), { implementations } = study;
		const place = (of) => implementations.findIndex(([known]) => known === of), a = place(own);
		const best = (b) => [study.whole, ...study.boards].map((board) => pair(study, board, a, b))
			.reduce((x, y) => (y.n > x.n ? y : x));
		if (!other) {
			const box = element(html`<div><label>Against <select><option value="">choose</option>${
				implementations.map(([value, title], at) => at !== a && html`<option value="${value}">${
					title} (${best(at).n} common)</option>`)}</select></label><div></div></div>`);
			other = $("select", box);
			other.onchange = () => { write({ with: other.value }); apply(); };
			results = box.lastChild;
			opener.replaceWith(box);
			if (event) other.focus();
		}
		other.value = read("with");
		results.replaceChildren();
		if (!other.value) return;
		const { here, n, count } = best(place(other.value)), { board } = here;
		const [mean] = here.rank(board.shapes).standings, e = mean.estimate;
		results.append(element(html`<p class="answer" role="status">${mean.contender.name} over ${
			board.baseline.name}: ${e && times(e.value)} ${badge(e?.verdict)}<small>n = ${n} of ${
			board.shapes.length}, ${board.title}: ${count("faster")} wins, ${count("tie")} ties, ${
			count("slower")} losses, ${count("undecided")} undecided.</small></p>`));
		const shapes = board.shapes.filter((at) => !here.rows.get(at)[0].word);
		if (n) render(results, "two", { ...here, board: { ...board, shapes } }, true);
	}
	opener.onclick = apply;
	views.set(container, apply);
}

function search() {
	const dialog = $("dialog.find"), [input, close, status, hits] = dialog.children;
	let entries, chosen = 0;
	function choose(at) {
		const all = [...hits.children];
		chosen = (at + all.length) % all.length || 0;
		all.forEach((one, place) => { one.ariaSelected = place === chosen; });
		input.setAttribute("aria-activedescendant", all[chosen]?.id ?? "");
		all[chosen]?.scrollIntoView({ block: "nearest" });
	}
	function find() {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		const isNamed = ({ name }) => words.every((word) => name.toLowerCase().includes(word));
		const found = words.length ? (entries ?? []).filter(({ kind, name, within }) => words.every((word) =>
			`${name} ${within} ${kind}`.toLowerCase().includes(word))).sort((a, b) => isNamed(b) - isNamed(a))
			.slice(0, 20) : [];
		hits.innerHTML = html`${found.map(({ kind, name, within, href }, at) => html`<a role="option"
			id="hit-${at}" href="${site}${href}" tabindex="-1">${name} <small>${kind}${
	within && ` · ${within}`}</small></a>`)}`;
		status.textContent = `${found.length} found`;
		choose(0);
	}
	async function open(value) {
		input.value = value;
		if (!dialog.open) dialog.showModal();
		entries ??= await load("search.js", "paceboardSearch");
		find();
	}
	input.oninput = () => { write({ find: input.value }, true); find(); };
	input.onkeydown = (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (step) choose(chosen + step);
		else if (event.key === "Enter") hits.children[chosen]?.click();
		else return;
		event.preventDefault();
	};
	close.onclick = () => dialog.close();
	dialog.onclose = () => write({ find: "" }, true);
	$("button.find").onclick = () => open("");
	document.addEventListener("keydown", (event) => {
		if (event.key !== "/" || event.ctrlKey || event.metaKey
			|| event.target.matches("input, select, textarea")) return;
		event.preventDefault();
		open("");
	});
	views.set("find", () => (read("find") ? open(read("find")) : dialog.close()));
}

// The theme. Where storage is refused, the choice lasts as long as the page.
const THEMES = ["auto", "light", "dark"], KEY = "paceboard-theme";
let theme;
function themed(next) {
	theme = document.documentElement.dataset.theme = next ?? "auto";
	const toggle = $("button.theme");
	if (!toggle) return;
	toggle.textContent = `Theme: ${theme}`;
	toggle.onclick = () => {
		themed(THEMES[(THEMES.indexOf(theme) + 1) % 3]);
		try { localStorage.setItem(KEY, theme); } catch { /* see above */ }
	};
}

if (typeof document === "object") {
	site = new URL("../", document.currentScript.src).href;
	document.documentElement.classList.add("js");
	let kept;
	try { kept = localStorage.getItem(KEY); } catch { /* see above */ }
	themed(kept);
	document.addEventListener("DOMContentLoaded", () => {
		themed(theme);
		$$("main table").forEach((table, at) => tableTools(table, `t${at}`));
		$$("[data-board]").forEach(rebase);
		$$("[data-compare]").forEach(compareTwo);
		search();
		const applyAll = () => [...views.values()].forEach((apply) => apply());
		addEventListener("popstate", applyAll);
		if (location.search) applyAll();
	});
}
}

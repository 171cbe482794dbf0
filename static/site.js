// What pages do when the reader acts: they are complete without it. A classic script: it works from
// disk and under the pages' Content-Security-Policy.
"use strict";
{
// ---- The engine: what src/standings/{interval,speedup,ranking}.rs compute and how
// src/site/format.rs prints it, out of <study>/data/records.js. Node loads it for the tests.

const { log, exp, sqrt, min, max } = Math;
const sum = (values) => values.reduce((a, b) => a + b, 0);

// Intervals. A quantity in logs is {v, lo, hi, rounds}: its value, the hard bounds of published
// digits relative to it, and per round [number, value] with the digits of sampled medians.
const ONE = { v: 0, lo: 0, hi: 0 };

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
	if (!sampled.length) return;
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

// Of the open study; t: the 0.975 quantiles of Student's t by degrees of freedom, from 1 on.
let t, tieBand, signs;

function bounds({ v, lo, hi, rounds }) {
	let low = v, high = v;
	if (rounds) {
		const k = rounds.at.length, x = rounds.at.map((round) => round[1]);
		if (k < 2) return;
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

// A study out of its data script.
function openData(data) {
	({ t, tieBand, signs } = data);
	const KEYS = "shape implementation class_ status value low high last".split(" ");
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
	const records = data.records.map(record), ratios = data.ratios.map(row);
	return { ...data, shapes, records: byShape(records), ratios: byShape(ratios), all: byShape([...records, ...ratios]) };
}

// A board: {classes, shapes, asIs, baseline, contenders}; a side: {id, name, members}.
function grid(study, board) {
	const membersOn = ({ members }, shape) =>
		Array.isArray(members) ? members : members[study.shapes[shape].of] ?? [];
	const eligible = (one) => one.status <= (board.asIs ? 1 : 0);
	const of = (rows, members) => rows.filter((one) => members.includes(one.implementation));
	const counting = (rows, members, class_) =>
		of(rows, members).filter((one) => one.class_ === class_ && eligible(one));

	function fastest(class_, shape, members) {
		const all = counting(study.records[shape], members, class_);
		if (!all.length) return;
		const low = ({ latency }) => latency.low ?? latency.value;
		const record = all.reduce((a, b) => (b.latency.value < a.latency.value ? b : a));
		const ceiling = min(...all.map(({ latency }) => latency.high ?? latency.value));
		const rivals = all.filter((one) => one !== record && low(one) <= ceiling);
		const q = fastestOf(record.q, rivals.map((one) => one.q));
		const near = [record, ...rivals], sampled = near.some((one) => one.q.rounds);
		const latency = sampled ? estimate(q, record.value)
			: { ...record.latency, low: min(...near.map(low)), high: ceiling };
		return { record, q, sampled, latency, failed: record.status === 1 };
	}

	const ratioOf = (above, below) =>
		(above.record === below.record ? ONE : over(above.q, below.q));

	function speedupIn(class_, members, references, shape) {
		const own = fastest(class_, shape, members), base = fastest(class_, shape, references);
		if (own && base) {
			const q = ratioOf(base, own), value = base.latency.value / own.latency.value;
			const direct = !(base.sampled || own.sampled || q === ONE);
			return {
				class_, q, failed: own.failed || base.failed,
				estimate: direct ? judged(value, base.latency.low / own.latency.high,
					base.latency.high / own.latency.low) : estimate(q, value),
			};
		}
		const ratios = counting(study.ratios[shape], members, class_)
			.filter((one) => references.includes(one.last));
		if (!ratios.length) return;
		const ratio = ratios.reduce((a, b) => (b.value > a.value ? b : a));
		const { value, low, high, status } = ratio, q = quantity(value, low, high);
		return { class_, ratio, q, failed: status === 1, estimate: judged(value, low, high) };
	}

	function why(members, references, shape) {
		const [own, theirs] = [members, references].map((side) => of(study.all[shape], side));
		if (!own.some(eligible)) return study.statuses[own[0]?.status] ?? "not measured";
		if (theirs.some(eligible)) return "not comparable";
		return theirs.length ? `baseline ${study.statuses[theirs[0].status]}` : "no baseline";
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
		if (a.word || b.word) return;
		if (!a.ratio && !b.ratio) {
			for (const class_ of [...a.class_ === b.class_ ? [a.class_] : [], ...board.classes]) {
				const [own, theirs] = [first, second].map((at) =>
					fastest(class_, shape, membersOn(board.contenders[at], shape)));
				if (own && theirs) return { q: ratioOf(theirs, own) };
			}
		}
		if (a.ratio && a.ratio === b.ratio) return { q: ONE };
		return { q: over(a.q, b.q), through: true };
	}

	function compare(first, second, shapes) {
		const ratios = shapes.map((shape) => ratio(first, second, shape)).filter(Boolean);
		const mean = ratios.length && estimate(geomean(ratios.map((one) => one.q)));
		const through = ratios.filter((one) => one.through).length;
		return { first, second, estimate: mean, common: ratios.length, through };
	}

	// Means, comparisons, ranks over some shapes.
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
				at, contender: board.contenders[at], counted: counted.length, total: shapes.length,
				estimate: counted.length > 1 ? estimate(geomean(counted.map((one) => one.q)))
					: counted[0]?.estimate,
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

// Numbers as text, rounded half to even, as the build does.
function significant(value, digits = 3) {
	const [mantissa, exponent] = value.toExponential(digits + 30).split("e");
	const isTie = /^50*$/.test(mantissa.slice(digits + 1));
	const isEven = mantissa[digits] % 2 === 0;
	const rounded = Number(isTie && isEven ? `${mantissa.slice(0, digits + 1)}e${exponent}`
		: value.toExponential(digits - 1));
	const shown = rounded.toExponential().split("e")[1];
	return rounded.toFixed(max(0, digits - 1 - shown));
}

function interval({ low, high }) {
	if (low === undefined) return "";
	for (let digits = 3; digits <= 6; digits += 1) {
		const ends = [low, high].map((end) => significant(end, digits));
		if (ends[0] !== ends[1]) return ends.join("–");
	}
	return significant(low);
}

const times = (value) => `${significant(value)}×`;

if (typeof module === "object") module.exports = { openData, grid, significant, interval, times };

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
const element = (...of) =>
	document.createRange().createContextualFragment(html(...of)).firstElementChild;

// Whether a text has all words of a query.
function holds(query) {
	const words = query.toLowerCase().split(/\s+/);
	return (text) => words.every((word) => text.toLowerCase().includes(word));
}

// State lives in the address; what shows it is in `views`.
const views = new Map();
const read = (key) => new URLSearchParams(location.search).get(key) ?? "";
const list = (key) => read(key).split(",");
function write(changes, replace) {
	const query = new URLSearchParams(location.search);
	for (const key in changes) {
		query.delete(key);
		if (String(changes[key])) query.set(key, changes[key]);
	}
	const address = (String(query) ? `?${query}` : location.pathname) + location.hash;
	history[replace ? "replaceState" : "pushState"](0, "", address);
}

// Data comes as scripts that set a global: `fetch` fails from disk.
let site;
const load = (path, name) => new Promise((done) => {
	const script = document.createElement("script");
	script.src = site + path;
	script.onload = () => done(window[name]);
	document.head.append(script);
});
const studies = {};
const openStudy = (id) =>
	(studies[id] ??= load(`${id}/data/records.js`, "paceboardRecords").then(openData));

// Tables: sorting, filtering, copying.
const WAYS = { a: "ascending", d: "descending" };
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
	const body = table.tBodies[0], groups = [], totals = [];
	for (const row of body.rows) {
		if (row.matches(".total")) totals.push(row);
		else if (row.matches(".replication")) groups.at(-1).push(row);
		else groups.push([row]);
	}
	const heads = [...table.tHead.rows[0].cells], titles = heads.map((th) => text(th, true));
	const value = (group, at) => text(group[0].cells[at], true);
	const box = element`<div class="tooled"><button class="more-tools" aria-label="Filter and copy: ${text(table.caption, true)}" aria-expanded="false">⋯</button></div>`;
	const more = box.firstChild;
	let bar, status;

	function apply() {
		const [column, way] = read(`${key}.sort`).split(".");
		const th = way && heads[column], sign = way === "d" ? -1 : 1, isNumber = th?.matches(".num");
		heads.forEach((one) => { one.ariaSort = one === th ? WAYS[way] : null; });
		const sorted = groups.map((group) => [th ? valueOf(group[0].cells[column], isNumber) : 0, group]);
		sorted.sort(([a], [b]) => (a === null) - (b === null)
			|| sign * (isNumber ? a - b : order.compare(a, b)));
		body.append(...sorted.flatMap(([, group]) => group), ...totals);

		const query = read(`${key}.q`), fits = holds(query);
		const wanted = titles.map((_, at) => read(`${key}.${at}`));
		if (!bar && (query || wanted.some(Boolean))) toggle();
		if (!bar) return;
		$$("input, select", bar).forEach((one) => { one.value = read(`${key}.${one.name}`); });
		const shown = groups.filter((group) => {
			const isShown = fits(group.map((row) => row.textContent).join(" "))
				&& wanted.every((want, at) => !want || value(group, at) === want);
			group.forEach((row) => { row.hidden = !isShown; });
			return isShown;
		});
		// Totals cover all rows.
		totals.forEach((row) => { row.hidden = shown.length < groups.length; });
		status.textContent = `${shown.length} of ${groups.length}`;
	}

	const rows = () => $$("tr:not([hidden])", table).map((row) =>
		heads.flatMap((th, at) => (th.matches(".bar-head") ? [] : text(row.cells[at]))));
	const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
	const quote = (cell) => `"${cell.replaceAll('"', '""')}"`;
	const copies = {
		link: () => `${location.href.split("#")[0]}#${table.closest("[id]").id}`,
		Markdown: () => rows().flatMap((row, at) => [line(row), ...at ? [] : [line(row.map(() => "---"))]])
			.join("\n"),
		CSV: () => rows().map((row) => row.map(quote).join(",")).join("\n"),
	};
	function copy(what) {
		const area = element`<textarea>${copies[what]()}</textarea>`;
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
			bar = element`<div class="tools"><label>Filter <input type="search" name="q"></label>${
				selects}${Object.keys(copies).map((what) =>
				html`<button value="${what}">Copy ${what}</button>`)}<span role="status"></span></div>`;
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
		const sort = element`<button class="sort"></button>`;
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

function badge(word = "not comparable") {
	const [sign, kind] = signs[word] ?? ["–", "none"];
	return html`<span class="badge ${kind}"><span aria-hidden="true">${sign}</span> ${word}</span> `;
}
const badges = (one) => [badge(one.estimate.verdict), one.failed && badge("failed retest"),
	one.through && badge("through the baseline")];
function cell(one) {
	const { estimate: e, rank } = one, count = one.total && `${one.counted} of ${one.total}`;
	if (!e) return html`<td class="word"><b>${one.word}</b><small>${count}</small></td>`;
	return html`<td class="num" data-v="${e.value}"><b>${times(e.value)}</b><small>${
		[interval(e), count].filter(Boolean).join(" · ")}</small><small>${rank && `rank ${rank} `}${
		badges(one)}</small></td>`;
}
// Small bars from the line at 1× on a log scale.
function scale(estimates) {
	const all = estimates.filter(Boolean).flatMap((e) => [e.low ?? e.value, e.high ?? e.value]);
	const low = log(min(0.95, ...all)) * 1.04, high = log(max(1.05, ...all)) * 1.04;
	return (value) => (log(value) - low) / (high - low) * 150;
}
function bars(estimates, x, series = 0) {
	const one = x(1), height = estimates.length * 12;
	return html`<td class="bar"><svg class="mini" viewBox="0 0 150 ${height}" aria-hidden="true">${estimates.map((e, at) => e && html`<rect class="s${
		(series + at) % 8}" x="${min(x(e.value), one)}" y="${at * 12 + 2}" width="${
		Math.abs(x(e.value) - one) + 0.5}" height="8"/>${e.low && html`<path class="bound" d="M${
		x(e.low)} ${at * 12 + 6}H${x(e.high)}"/>`}`)}<path class="ref" d="M${one} 0V${height}"/></svg></td>`;
}
const BAR = ["Log scale, line at 1×", "bar-head"];
const td = (content, kind) => html`<td class="${kind}">${content}</td>`;
function show(into, key, caption, heads, rows) {
	const scroll = element`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
		<table class="results"><caption><span>${caption}</span></caption><thead><tr>${
	heads.map(([title, kind]) => html`<th scope="col" class="${kind}">${title}</th>`)}</tr></thead>
		<tbody>${rows.map(([first, ...rest]) =>
	html`<tr><th scope="row">${first}</th>${rest}</tr>`)}</tbody></table></div>`;
	into.append(scroll);
	tableTools(scroll.firstElementChild, key);
}
// A board's tables: overall, by operator or shape, pairs.
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
	const folderOf = (at) => study.shapes[at].folder;
	const of = byShape ? shapes.map((at) => {
		const { path, name, operator } = study.shapes[at];
		return [[link(path, name), html`<small>${operator}</small>`], rows.get(at)];
	}) : [...new Set(shapes.map(folderOf))].map((folder) => {
		const own = shapes.filter((at) => folderOf(at) === folder);
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

// Another baseline and other shapes of a board, or of one operator.
function rebase(container) {
	const { study: id, board: name, operator } = container.dataset;
	const opener = $("button", container), published = $(".published", container);
	const [panel, status, results] = published.previousElementSibling.children;
	const base = `${name}.base`, without = `${name}.without`;

	async function apply(event) {
		if (!event && !$("label", panel) && !read(base) && !read(without)) return;
		const study = await openStudy(id), { implementations } = study, isFirst = !$("label", panel);
		const board = study.boards.find((one) => one.id === name);
		const shapes = board.shapes.filter((at) => !operator || study.shapes[at].folder === operator);
		if (isFirst) {
			const here = shapes.flatMap((at) => study.all[at]).flatMap((one) => [one.implementation, one.last]);
			const check = (group, value, title, more) => $$("fieldset", panel)[group].append(
				element`<label><input type="checkbox" value="${value}"> ${title} <small>${more}</small></label>`);
			implementations.forEach((one, at) => here.includes(at) && check(0, ...one));
			let last;
			for (const { folder, path, name: title, operator: of } of shapes.map((at) => study.shapes[at])) {
				if (!operator && last !== folder) check(1, last = folder, html`<b>${of}</b>`, "all");
				check(1, path, title);
			}
			panel.onchange = () => {
				const values = (which) => $$(which, panel).map((one) => one.value);
				write({ [base]: values("fieldset:first-child :checked"),
					[without]: values("fieldset + fieldset input:not(:checked)") });
				apply();
			};
			panel.lastChild.onclick = () => { write({ [base]: "", [without]: "" }); apply(); };
		}
		if (isFirst || event) panel.hidden = !panel.hidden;
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
			: `Recomputed over ${baseline.name}, on ${kept.length} of ${shapes.length} ${
				study.labels.shape.toLowerCase()}s.`;
		if (!isOwn) render(results, name, grid(study, { ...board, baseline, shapes: kept }), operator);
	}
	opener.onclick = apply;
	views.set(container, apply);
}

// Any two implementations, by the rules of the board, or whole study, with most common shapes.
function compareTwo(container) {
	const { study: id, compare: own } = container.dataset;
	const [, opener, label, results] = container.children, other = $("select", label);

	function pair(study, board, a, b) {
		const side = (at) => ({ name: study.implementations[at][1], members: [at] });
		const of = (baseline, ...contenders) => ({ ...board, baseline, contenders });
		const back = grid(study, of(side(a), side(b))).rows;
		const both = board.baseline && grid(study, of(board.baseline, side(a), side(b)));
		const otherwise = (shape, [one] = back.get(shape)) =>
			(one.word ? both?.ratio(0, 1, shape) : { q: over(ONE, one.q) });
		const here = grid(study, { ...of(side(b), side(a)), otherwise });
		const cells = [...here.rows.values()].flat().filter((one) => !one.word);
		return { here, n: cells.length, count: (of) => cells.filter((one) => one.estimate.verdict === of).length };
	}

	async function apply(event) {
		if (label.hidden && !event && !read("with")) return;
		const study = await openStudy(id), { implementations } = study;
		const place = (of) => implementations.findIndex(([known]) => known === of), a = place(own);
		const best = (b) => [study.whole, ...study.boards].map((board) => pair(study, board, a, b))
			.reduce((x, y) => (y.n > x.n ? y : x));
		if (label.hidden) {
			implementations.forEach(([value, title], at) => at !== a
				&& other.add(new Option(`${title} (${best(at).n} common)`, value)));
			other.onchange = () => { write({ with: other.value }); apply(); };
			opener.hidden = true;
			label.hidden = false;
			if (event) other.focus();
		}
		other.value = read("with");
		results.replaceChildren();
		if (!other.value) return;
		const { here, n, count } = best(place(other.value)), { board } = here;
		const [{ contender, estimate: e }] = here.rank(board.shapes).standings;
		results.append(element`<p class="answer" role="status">${contender.name} over ${
			board.baseline.name}: ${e && times(e.value)} ${badge(e?.verdict)}<small>n = ${n} of ${
			board.shapes.length}, ${board.title}: ${count("faster")} wins, ${count("tie")} ties, ${
			count("slower")} losses, ${count("undecided")} undecided.</small></p>`);
		const shapes = board.shapes.filter((at) => !here.rows.get(at)[0].word);
		if (n) render(results, "two", { ...here, board: { ...board, shapes } }, true);
	}
	opener.onclick = apply;
	views.set(container, apply);
}

const STEPS = { ArrowDown: 1, ArrowUp: -1 };
// Figures: values by pointer and arrow keys, and a PNG in the page's colours.
function figureTools(figure) {
	const drawing = $(".drawing", figure), [svg] = drawing.children, spots = $$(".spot", svg);
	const reading = $(".reading", figure), hint = reading.textContent;
	let at;
	function tell(next) {
		at = next;
		spots.forEach((spot, place) => spot.classList.toggle("on", place === at));
		reading.textContent = spots[at]?.textContent ?? hint;
	}
	svg.onpointerover = ({ target }) => tell(spots.indexOf(target));
	svg.onpointerleave = drawing.onblur = () => tell(-1);
	drawing.onfocus = () => tell(max(at ?? 0, 0));
	drawing.onkeydown = (event) => {
		const step = STEPS[event.key], { length } = spots;
		if (!step) return;
		event.preventDefault();
		tell((at + step + length) % length);
		spots[at]?.scrollIntoView({ block: "nearest", inline: "nearest" });
	};
	$(".png", figure).onclick = ({ target }) => {
		const copy = svg.cloneNode(true), all = $$("*", copy), picture = new Image();
		$$("*", svg).forEach((one, place) => ["fill", "stroke", "font-family"].forEach((key) =>
			all[place].setAttribute(key, getComputedStyle(one)[key])));
		const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
		for (const key of ["width", "height"]) {
			copy.setAttribute(key, canvas[key] = svg.viewBox.baseVal[key] * 3);
		}
		picture.onload = () => {
			pen.fillStyle = getComputedStyle(document.body).backgroundColor;
			pen.fillRect(0, 0, canvas.width, canvas.height);
			pen.drawImage(picture, 0, 0);
			element`<a href="${canvas.toDataURL()}" download="${target.value}"></a>`.click();
		};
		picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
	};
}

function search() {
	const dialog = $("dialog"), [input, close, status, hits] = dialog.children;
	let entries;
	function find() {
		const fits = holds(input.value), { length } = input.value.trim();
		const found = (entries ?? []).filter(({ kind, name, within }) =>
			length && fits(`${name} ${within} ${kind}`)).sort((a, b) => fits(b.name) - fits(a.name)).slice(0, 20);
		hits.innerHTML = html`${found.map(({ kind, name, within, href }) =>
			html`<li><a href="${site}${href}">${name} <small>${kind}${within && ` · ${within}`}</small></a>`)}`;
		status.textContent = `${found.length} found`;
	}
	async function open(value) {
		input.value = value;
		if (!dialog.open) dialog.showModal();
		entries ??= await load("search.js", "paceboardSearch");
		find();
	}
	input.oninput = () => { write({ find: input.value }, true); find(); };
	dialog.onkeydown = (event) => {
		const step = STEPS[event.key], stops = [input, ...$$("a", hits)];
		if (step) stops.at((stops.indexOf(event.target) + step) % stops.length).focus();
		else if (event.key === "Enter" && event.target === input) stops[1]?.click();
		else return;
		event.preventDefault();
	};
	close.onclick = () => dialog.close();
	dialog.onclose = () => write({ find: "" }, true);
	$("button.find").onclick = () => open("");
	addEventListener("keydown", (event) => {
		if (event.key !== "/" || event.ctrlKey || event.metaKey
			|| event.target.matches("input, select, textarea")) return;
		event.preventDefault();
		open("");
	});
	views.set("find", () => (read("find") ? open(read("find")) : dialog.close()));
}

// The theme. Where storage is refused, it lasts as long as the page.
const NEXT = { auto: "light", light: "dark", dark: "auto" };
function themed(theme) {
	document.documentElement.dataset.theme = theme;
	const toggle = $("button.theme");
	if (!toggle) return;
	toggle.textContent = `Theme: ${theme}`;
	toggle.onclick = () => {
		themed(NEXT[theme]);
		try { localStorage.paceboardTheme = NEXT[theme]; } catch {}
	};
}

if (globalThis.document) {
	site = new URL("../", document.currentScript.src).href;
	document.documentElement.classList.add("js");
	let theme = "auto";
	try { theme = localStorage.paceboardTheme ?? theme; } catch {}
	themed(theme);
	addEventListener("DOMContentLoaded", () => {
		themed(theme);
		$$("main table").forEach((table, at) => tableTools(table, `t${at}`));
		$$("[data-board]").forEach(rebase);
		$$("[data-compare]").forEach(compareTwo);
		$$(".chart").forEach(figureTools);
		search();
		const applyAll = () => views.forEach((apply) => apply());
		addEventListener("popstate", applyAll);
		if (location.search) applyAll();
	});
}
}

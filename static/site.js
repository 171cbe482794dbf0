// What pages do when the reader acts: theme, sorting, filtering, copying, another baseline, the
// comparison of two, search. A classic script in the head, without a framework and without a
// build step; it works from disk, below any path and under the pages' Content-Security-Policy.
// Pages are complete without it, and nothing changes after load unless the reader asks.
"use strict";

// The engine: what `src/standings/{interval,speedup,ranking}.rs` compute, and how
// `src/site/format.rs` prints it. It knows no page; Node loads it for the tests. Its data is
// `<study>/data/records.js`, where things are named by their place in a list.
const engine = (() => {
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

  // The 0.975 quantile of Student's t: a table, then Abramowitz & Stegun 26.7.5.
  const T = [12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836, 2.446911851,
    2.364624252, 2.306004135, 2.262157163, 2.228138852, 2.200985160, 2.178812830, 2.160368656,
    2.144786688, 2.131449546, 2.119905299, 2.109815578, 2.100922040, 2.093024054, 2.085963447,
    2.079613845, 2.073873068, 2.068657610, 2.063898562, 2.059538553, 2.055529439, 2.051830516,
    2.048407142, 2.045229642, 2.042272456];
  function student(n) {
    if (n <= T.length) return T[n - 1];
    const z = 1.959963984540054, y = z * z;
    const g1 = (y + 1) * z / 4, g2 = ((5 * y + 16) * y + 3) * z / 96;
    const g3 = (((3 * y + 19) * y + 17) * y - 15) * z / 384;
    return z + (g1 + (g2 + g3 / n) / n) / n;
  }

  function bounds({ v, lo, hi, rounds }) {
    let low = v, high = v;
    if (rounds) {
      const k = rounds.at.length, x = rounds.at.map((round) => round[1]);
      if (k < 2) return undefined;
      const mean = sum(x) / k;
      const deviation = sqrt(sum(x.map((value) => (value - mean) * (value - mean))) / (k - 1));
      const half = student(k - 1) * deviation / sqrt(k);
      low = min(mean - half, v + rounds.lo);
      high = max(mean + half, v + rounds.hi);
    }
    return [low + lo, high + hi];
  }

  // {value, low, high, kind}; without an interval only the value.
  function estimate(q, value = exp(q.v)) {
    const ends = bounds(q), kind = !q.rounds ? "published digits"
      : q.lo || q.hi ? "mixed" : "95 % over rounds";
    return ends ? { value, low: min(exp(ends[0]), value), high: max(exp(ends[1]), value), kind }
      : { value };
  }

  function verdict({ low, high }, tieBand) {
    const band = 1 + tieBand;
    if (low > band) return "faster";
    if (high < 1 / band) return "slower";
    return 1 / band <= low && high <= band ? "tie" : "undecided";
  }

  // A study out of its data script.
  function open(data) {
    const row = ([shape, implementation, class_, status, value, low, high, last]) =>
      ({ shape, implementation, class_, status, value, low, high, last });
    const byShape = (rows) => {
      const lists = data.shapes.map(() => []);
      for (const one of rows) lists[one.shape].push(one);
      return lists;
    };
    const record = (of) => {
      const r = row(of), q = quantity(r.value, r.low, r.high, r.last);
      const { value, low, high } = r;
      const published = { value, low, high, kind: "published digits" };
      return { ...r, q, latency: r.last ? estimate(q, value) : published };
    };
    return {
      ...data,
      records: byShape(data.records.map(record)),
      ratios: byShape(data.ratios.map(row)),
      whole: {
        id: "", title: "Whole study", asIs: false, contenders: [],
        classes: data.classes.map((_, at) => at), shapes: data.shapes.map((_, at) => at),
      },
    };
  }

  const STATUS = ["counts", "failed retest", "failed retest", "not retested", "withdrawn"];
  const words = (rows) => [...new Set(rows.map((one) => STATUS[one.status]))].join(", ");

  // A board: {classes, shapes, asIs, baseline, contenders}; a side: {id, name, members}.
  function grid(study, board) {
    const membersOn = ({ members }, shape) =>
      Array.isArray(members) ? members : members[study.shapes[shape][0]] ?? [];
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
          estimate: direct ? {
            value, low: base.latency.low / own.latency.high,
            high: base.latency.high / own.latency.low, kind: "published digits",
          } : estimate(q, value),
        };
      }
      const ratios = of(study.ratios[shape], members).filter((one) => one.class_ === class_
        && references.includes(one.last) && eligible(one));
      if (!ratios.length) return undefined;
      const ratio = ratios.reduce((a, b) => (b.value > a.value ? b : a));
      const { value, low, high } = ratio;
      return {
        class_, ratio, q: quantity(value, low, high), failed: ratio.status === 1,
        estimate: { value, low, high, kind: "published digits" },
      };
    }

    function why(members, references, shape) {
      const [own, theirs] = [members, references].map((m) => of(study.records[shape], m));
      const ratios = of(study.ratios[shape], members);
      if (!own.length && !ratios.length) return "not measured";
      if (!own.length) return ratios.some(eligible) ? "no baseline" : words(ratios);
      if (!own.some(eligible)) return words(own);
      if (!theirs.length) return "no baseline";
      return theirs.some(eligible) ? "not comparable" : `baseline ${words(theirs)}`;
    }

    // A contender's cell on a shape: its speedup, or the word that stands in its place.
    function speedup(contender, shape) {
      const members = membersOn(contender, shape);
      const references = membersOn(board.baseline, shape);
      for (const class_ of board.classes) {
        const cell = speedupIn(class_, members, references, shape);
        if (cell) return { ...cell, verdict: verdict(cell.estimate, study.tieBand) };
      }
      return { word: why(members, references, shape) };
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
      return {
        first, second, estimate: mean, common: ratios.length,
        through: ratios.filter((one) => one.through).length,
        verdict: mean && verdict(mean, study.tieBand),
      };
    }

    // Means, comparisons and ranks over some shapes; standings in order of rank, geomean, id.
    function rank(shapes) {
      const places = board.contenders.map((_, at) => at);
      const comparisons = places.flatMap((first) =>
        places.slice(first + 1).map((second) => compare(first, second, shapes)));
      const standings = places.map((at) => {
        const cells = shapes.map((shape) => rows.get(shape)[at]);
        const counted = cells.filter((cell) => !cell.word);
        const mean = counted.length === 1 ? counted[0].estimate
          : counted.length ? estimate(geomean(counted.map((cell) => cell.q))) : undefined;
        return {
          at, contender: board.contenders[at], estimate: mean, counted: counted.length,
          total: shapes.length, verdict: mean && verdict(mean, study.tieBand),
          failed: counted.some((cell) => cell.failed),
          word: [...new Set(cells.map((cell) => cell.word))].join(", ") || "no result",
          rank: mean && 1 + comparisons.filter((one) => (one.verdict === "faster"
            ? one.second === at : one.verdict === "slower" && one.first === at)).length,
        };
      });
      const last = (one) => one.rank ?? Infinity, mean = (one) => one.estimate?.value ?? 0;
      standings.sort((a, b) => (last(a) === last(b) ? 0 : last(a) - last(b)) || mean(b) - mean(a)
        || (a.contender.id < b.contender.id ? -1 : 1));
      return { standings, comparisons };
    }

    return { rows, ratio, compare, rank, study, board };
  }

  // Numbers as text, rounded half to even on the exact value, as the build does.
  function significant(value, digits = 3) {
    const [mantissa, exponent] = value.toExponential(digits + 30).split("e");
    const isTie = /^50*$/.test(mantissa.slice(digits + 1));
    const isEven = Number(mantissa[digits]) % 2 === 0;
    const rounded = isTie && isEven ? Number(`${mantissa.slice(0, digits + 1)}e${exponent}`)
      : Number(value.toExponential(digits - 1));
    const shown = Number(rounded.toExponential().split("e")[1]);
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

  return { open, grid, estimate, geomean, verdict, significant, interval,
    speedup: (value) => `${significant(value)}×` };
})();
if (typeof document === "undefined") module.exports = engine;

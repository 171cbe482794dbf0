// Lighthouse on the main kinds of page, and how soon a slow phone shows the first result: a link
// of 1.6 Mbit/s and 150 ms, and a processor a fourth as fast. Measures; passes no judgement.
//
//   node tests/browser/lighthouse.mjs target/lighthouse/site target/lighthouse

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { executable, FLAGS, launch, serve } from "./browser.mjs";

const LIGHTHOUSE = "lighthouse@12.8.2";
const RUNS = 5;
const PAGES = [
  "index.html",
  "justgoal-b200/index.html",
  "justgoal-b200/libraries-and-agents/index.html",
  "justgoal-b200/operators/fa4-forward/index.html",
  "justgoal-b200/operators/fa4-forward/gqa-g4-8-4096-causal/index.html",
  "fastkernels/index.html",
];
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const [site, out] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(out, { recursive: true });

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function audit(url, name) {
  const report = join(out, `${name}.json`);
  // The pages come from this process: it must not wait.
  await promisify(execFile)("npx", ["--yes", LIGHTHOUSE, url, "--quiet", "--output=json",
    `--output-path=${report}`, `--only-categories=${CATEGORIES}`,
    `--chrome-flags=--headless=new ${FLAGS.join(" ")}`],
  { env: { ...process.env, CHROME_PATH: executable() } });
  const { categories, audits } = JSON.parse(readFileSync(report, "utf8"));
  const scores = CATEGORIES.map((category) => Math.round(categories[category].score * 100));
  const faults = CATEGORIES.flatMap((category) => categories[category].auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
    .map(({ id }) => `${id} ${audits[id].displayValue ?? ""}`.trim());
  return { scores, faults };
}

/** Milliseconds until the first result of a table stands on the screen, and what was sent. */
async function onSlowPhone(browser, url) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true,
  });
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  let bytes = 0;
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => { bytes += encodedDataLength; });
  await tab.goto(url, { waitUntil: "load" });
  const painted = await tab.evaluate(() => new Promise((done) => {
    const seen = (list) => list.getEntries().forEach((entry) =>
      entry.name === "first-contentful-paint" && done(Math.round(entry.startTime)));
    new PerformanceObserver((list) => seen(list)).observe({ type: "paint", buffered: true });
  }));
  // The numbers are part of the HTML: they stand with the first paint if the page was whole then.
  const parsed = await tab.evaluate(() =>
    Math.round(performance.getEntriesByType("navigation")[0].domInteractive));
  await context.close();
  return { shown: Math.max(painted, parsed), bytes };
}

const server = await serve(site);
const browser = await launch();
for (const page of PAGES) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await onSlowPhone(browser, server.base + page));
  const shown = median(runs.map((run) => run.shown));
  console.log(`${page}: a slow phone shows it after ${shown} ms, ${(runs[0].bytes / 1000).toFixed(0)} kB sent`);
}
await browser.close();
for (const page of PAGES) {
  const { scores, faults } = await audit(server.base + page, page.replaceAll("/", "_"));
  console.log(`${page}: ${CATEGORIES.map((category, at) => `${category} ${scores[at]}`).join(", ")}`);
  for (const fault of faults) console.log(`  ${fault}`);
}
server.close();

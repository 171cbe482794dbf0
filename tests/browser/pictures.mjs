// Takes the pictures of the README: node pictures.mjs SITE FOLDER

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const [site, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });

const study = "justgoal-b200";
const pictures = [
  ["board", `${study}/libraries-and-agents/index.html`, 1280, 1000],
  ["shape", `${study}/operators/gdn-forward/long-sequences/index.html`, 1280, 1000],
  ["board-390", `${study}/libraries-and-agents/index.html`, 390, 800],
];

const browser = await launch();
for (const [name, page, width, height] of pictures) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: "light" });
  const tab = await context.newPage();
  await tab.goto(`${pathToFileURL(site).href}/${page}`, { waitUntil: "load" });
  await tab.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}
await browser.close();

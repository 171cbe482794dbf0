// What the browser scripts share: the browser, a file server, the pages of a site.

import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";
import { chromium } from "playwright-core";

export const repository = resolve(fileURLToPath(import.meta.url), "../../..");

/** The browser that `scripts/browser.sh` made sure of. */
export function executable() {
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
  for (const name of [process.env.CHROMIUM, ...names]) {
    if (!name) continue;
    try {
      return execFileSync("sh", ["-c", 'command -v "$1"', "sh", name], { encoding: "utf8" }).trim();
    } catch { /* the next one */ }
  }
  throw new Error("no Chromium: run scripts/browser.sh");
}

/** What it is started with. */
export const FLAGS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];

export const launch = () => chromium.launch({ executablePath: executable(), args: FLAGS });

const kinds = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript",
  ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png",
  ".xml": "application/xml", ".csv": "text/csv; charset=utf-8",
};

/** Serves a folder below `/repo/` and compressed, as GitHub Pages does. */
export function serve(folder) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    let file = join(folder, normalize(path.replace(/^\/repo\//, "/")));
    if (path.endsWith("/")) file = join(file, "index.html");
    const inside = file.startsWith(resolve(folder) + sep);
    if (!path.startsWith("/repo/") || !inside || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": kinds[extname(file)] ?? "application/octet-stream", "Content-Encoding": "gzip",
    });
    createReadStream(file).pipe(createGzip()).pipe(response);
  });
  return new Promise((ready) => {
    server.listen(0, "127.0.0.1", () => {
      const base = `http://127.0.0.1:${server.address().port}/repo/`;
      ready({ base, close: () => server.close() });
    });
  });
}

/** Paths of all pages of a site, sorted. */
export function pagesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

/** One page of each kind per study, and all that belong to none. */
export function samplesOf(pages) {
  const seen = new Set();
  return pages.filter((page) => {
    const parts = page.split("/");
    if (parts.length <= 2) return true;
    // Boards are kept each; of operators, shapes, implementations, batches and runs the first.
    const kind = parts.length === 3 ? page : `${parts[0]}/${parts[1]}/${parts.length}`;
    if (seen.has(kind)) return false;
    seen.add(kind);
    return true;
  });
}

/**
 * The built web app, from memory: a handful of files. Every page that is not a file is the app's
 * own affair and gets its document, which names its files below the base path people come by.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import type { AppEnv } from "../deps.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
  ".json": "application/json",
};
type File = {
  readonly bytes: Buffer;
  readonly gzip: Buffer | null;
  readonly type: string;
  readonly etag: string;
};

export async function webAppRoutes(root: string, basePath: string) {
  const files = await readFiles(root, basePath);
  const index = files.get("/index.html");
  const app = new Hono<AppEnv>();
  app.get("*", (c) => {
    const path = c.req.path;
    const isAsset = path.includes("/assets/");
    const key = isAsset ? path.slice(path.lastIndexOf("/assets/")) : path;
    const file = files.get(key) ?? (isAsset || extname(path) !== "" ? undefined : index);
    if (!file) return c.notFound();
    c.header("content-type", file.type);
    c.header("vary", "accept-encoding");
    // Assets carry their hash in their name; the document must always be asked for.
    c.header("cache-control", isAsset ? "public, max-age=31536000, immutable" : "no-cache");
    c.header("etag", file.etag);
    if (c.req.header("if-none-match") === file.etag) return c.body(null, 304);
    if (file.gzip && (c.req.header("accept-encoding") ?? "").includes("gzip")) {
      c.header("content-encoding", "gzip");
      return c.body(Uint8Array.from(file.gzip).buffer);
    }
    return c.body(Uint8Array.from(file.bytes).buffer);
  });
  return app;
}

async function readFiles(root: string, basePath: string): Promise<ReadonlyMap<string, File>> {
  const files = new Map<string, File>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const read = await readFile(path);
    // The app itself finds its base from where its script was loaded.
    const bytes =
      entry.name === "index.html"
        ? Buffer.from(read.toString("utf8").replaceAll('="/', `="${basePath}/`))
        : read;
    const type = TYPES[extname(entry.name)] ?? "application/octet-stream";
    const isText = /^text\/|json|svg/.test(type);
    files.set(`/${relative(root, path).replaceAll("\\", "/")}`, {
      bytes,
      gzip: isText ? gzipSync(bytes, { level: 9 }) : null,
      type,
      etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 20)}"`,
    });
  }
  return files;
}

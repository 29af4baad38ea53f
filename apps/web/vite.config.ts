import solid from "vite-plugin-solid";
import { defineConfig, type Plugin } from "vite";

/**
 * The page is served below any path. Assets name each other relatively; index.html, which stands for
 * every address, names them from the root: a server below a path puts it before each `="/`.
 */
const absoluteDocument: Plugin = {
  name: "absolute-document",
  enforce: "post",
  transformIndexHtml: {
    order: "post",
    handler: (html) => html.replaceAll('="./', '="/'),
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [solid({ hot: false }), absoluteDocument],
  resolve: { conditions: ["source", "browser", "module", "import", "default"] },
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    target: "es2022",
    // Nothing inline: the content security policy allows files of our own and nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // Grammars are loaded one by one, by the worker that reads them.
  worker: { format: "es" },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:4400", changeOrigin: false } },
  },
});

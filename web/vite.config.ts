// Two entries, built one after the other (scripts/build.mjs) so that they share no file: the players' pages (index.html)
// and the console (console.html).
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './scripts/vitest.setup';

/** Where `npm run dev` finds a running server. */
const server = process.env.WINDFALL_URL ?? 'http://127.0.0.1:8088';
const COMPRESS_MIN_BYTES = 1024;
const passed = { target: server, changeOrigin: false };

export default defineConfig({
  plugins: [
    react(),
    {
      // The server tells the page whether a session came with the request; the dev server cannot know.
      name: 'session-perhaps',
      apply: 'serve',
      transformIndexHtml: (html) => html.replace('data-session="no"', 'data-session="perhaps"'),
    },
    {
      // One server answers for both entries, as in production: addresses below /console belong to the console.
      name: 'console-routes',
      configureServer(dev) {
        dev.middlewares.use((request, _response, next) => {
          if (/^\/console(\/|\?|$)/.test(request.url ?? '')) request.url = '/console.html';
          next();
        });
      },
    },
    {
      // Compressed once, here, instead of for every visitor. What hardly shrinks is left alone.
      name: 'compress',
      apply: 'build',
      closeBundle() {
        const folder = join(import.meta.dirname, 'dist/assets');
        for (const name of readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name))) {
          // The entries are built one after the other: the first one's files are done when the second one's come.
          if (existsSync(join(folder, `${name}.br`))) continue;
          const whole = readFileSync(join(folder, name));
          if (whole.length < COMPRESS_MIN_BYTES) continue;
          const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
          writeFileSync(join(folder, `${name}.br`), brotliCompressSync(whole, { params }));
          writeFileSync(join(folder, `${name}.gz`), gzipSync(whole, { level: 9 }));
        }
      },
    },
  ],
  server: { port: 5173, proxy: { '/api': passed, '/docs': passed, '/readyz': passed } },
  build: {
    // In-app browsers of phones are years behind; what they lack is written for them.
    target: ['es2022', 'chrome94', 'safari16.4'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'node',
    setupFiles: ['scripts/vitest.setup.ts'],
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    teardownTimeout: PATIENCE_MS,
  },
});

// How the page is built. Everything ends in files of its own: the window's content policy allows no inline script
// and no data: script, and nothing is fetched from anywhere but the window itself.

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'safari18',
    chunkSizeWarningLimit: 1500,
  },
  server: { host: '127.0.0.1' },
  test: {
    // All cores: the tests are the only work while they run.
    maxWorkers: '100%',
    testTimeout: 30_000,
    projects: [
      // What needs no page gets none: to set one up costs more than the tests of a function.
      { extends: true, test: { name: 'functions', include: ['{src,tests}/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'page',
          environment: 'jsdom',
          setupFiles: ['tests/setup.ts'],
          include: ['{src,tests}/**/*.test.tsx'],
        },
      },
    ],
  },
})

import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './tests',
  workers: 2,
  fullyParallel: false,
  projects: process.env.PROJECTS ? [{ name: 'chromium' }, { name: 'Mobile Safari' }] : undefined,
});

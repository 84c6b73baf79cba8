import { test } from 'node:test';
test('ends the process', () => {
  process.exit(3);
});

import { expect, test } from 'vitest';
test('prints what others print', () => {
  console.log(' FAIL  src/other.test.mjs > Other > is no test\nAssertionError: expected 1 to be 2\n');
  console.error('  ● Another › is no test\n × src/other.test.mjs > decoy');
  process.stdout.write(' FAIL  src/bare.test.mjs > is no test\nError: nothing\n\n');
});
let tries = 0;
test('retries', { retry: 1 }, () => {
  tries += 1;
  expect(tries).toBe(2);
});

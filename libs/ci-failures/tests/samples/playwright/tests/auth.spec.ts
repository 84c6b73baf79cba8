import { expect, test } from '@playwright/test';
import { fetchAll, read } from '../lib/store';

test.describe('Auth', () => {
  test.describe('login', () => {
    test('accepts', () => {});
    test('rejects', () => {
      expect({ user: 'a', roles: ['x', 'y'] }).toEqual({ user: 'b', roles: ['x'] });
    });
    test('reads › nested names', () => {
      read('gone');
    });
  });
  for (const [name, n] of [['a b', 1], ['c - d', 2], ["it's \"quoted\"", 3], ['[x](y)', 4], ['$HOME', 5]] as const) {
    test(`takes ${name} as ${n}`, () => {
      expect(n % 2).toBe(0);
    });
  }
  test.skip('is skipped', () => {
    throw new Error('never');
  });
  test('waits', async () => {
    await test.step('asks the server', async () => {
      await fetchAll('https://example.org/x');
    });
  });
  test('is slow', async () => {
    test.setTimeout(200);
    await new Promise((done) => setTimeout(done, 1000));
  });
});

test('top level fails ✗ ünïcode 日本', { tag: '@smoke' }, () => {
  expect('a').toBe('b');
});
test('has a message of several lines', () => {
  throw new Error('first line\n\n  1) tests/decoy.spec.ts:3:5 › a decoy ────\n\n    x\n\n  2 failed\n    tests/decoy.spec.ts:3:5 › a decoy ──\n\nlast line');
});
test('has two failures', () => {
  expect.soft(1).toBe(2);
  expect.soft('left').toBe('right');
});
test('has a title that is longer than any line of a terminal or of a log has room for, and then goes on a bit more', () => {
  expect(1).toBe(2);
});

import { afterEach, beforeAll, describe, expect, test } from 'vitest';

describe('hooks', () => {
  describe('before all', () => {
    beforeAll(() => {
      throw new Error('set-up failed');
    });
    test('one', () => {});
    test('two', () => {});
  });
  describe('after each', () => {
    afterEach(() => {
      throw new Error('tear-down failed');
    });
    test('three', () => {});
  });
});
describe.each([{ mode: 'fast' }, { mode: 'slow' }])('mode $mode', ({ mode }) => {
  test('works', () => {
    expect(mode).toBe('fast');
  });
});
test.fails('fails as it should', () => {
  throw new Error('known');
});
test.fails('ought to fail', () => {});
test('snapshot', () => {
  expect('new').toMatchInlineSnapshot(`"old"`);
});

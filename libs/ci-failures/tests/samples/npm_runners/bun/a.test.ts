import { describe, expect, test } from 'bun:test';
const total = (items?: number[]) => {
  if (!items) throw new TypeError('no items');
  return items.length;
};
describe('Cart', () => {
  test('adds', () => { expect(total([1])).toBe(2); });
  test('passes', () => {});
  describe('when empty', () => {
    test('throws > deep', () => { total(); });
    test('slow', async () => { await new Promise((done) => setTimeout(done, 500)); }, 20);
  });
  test.todo('later');
  test.skip('skipped', () => {});
});
test('top level', () => { throw new Error('boom\nsecond line'); });

const total = (items) => {
  if (!items) throw new TypeError('no items');
  return items.length;
};
describe('Cart', () => {
  test('adds', () => { expect(total([1])).toBe(2); });
  test('passes', () => { expect(total([])).toBe(0); });
  describe('when › empty', () => {
    test('throws "it" <x> & y', () => { total(); });
    test.each([[1, 2], [3, 4]])('%i is %i', (left, right) => { expect(left).toBe(right); });
  });
  test('times out', async () => { await new Promise((done) => setTimeout(done, 500)); }, 20);
  test.skip('is skipped', () => {});
});
describe('Set-up', () => {
  beforeAll(() => { throw new Error('set-up broke'); });
  test('one', () => {});
  test('two', () => {});
});

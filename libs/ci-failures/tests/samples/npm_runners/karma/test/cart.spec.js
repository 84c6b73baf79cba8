const total = (items) => {
  if (!items) throw new TypeError('no items');
  return items.length;
};
describe('Cart', () => {
  it('adds', () => { expect(total([1])).toBe(2); });
  it('passes', () => { expect(total([])).toBe(0); });
  describe('when empty', () => {
    it('throws deep', () => { total(); });
    it('has two expectations', () => { expect(1).toBe(2); expect('a').toEqual('b'); });
    it('times\nout', (done) => {}, 20);
    xit('is pending', () => {});
  });
  it('is a promise FAILED', async () => { await Promise.reject(new Error('rejected: 1) not me')); });
});

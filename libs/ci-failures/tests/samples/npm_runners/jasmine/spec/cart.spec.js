const { total } = require('../lib/cart');
describe('Cart', () => {
  it('adds', () => { expect(total([1])).toBe(2); });
  it('passes', () => { expect(total([])).toBe(0); });
  describe('when empty', () => {
    it('throws deep', () => { total(); });
    it('has two expectations', () => { expect(1).toBe(2); expect('a').toEqual('b'); });
    it('times\nout', (done) => {}, 20);
    xit('is pending', () => {});
  });
  it('is a promise', async () => { await Promise.reject(new Error('rejected: 1) not me')); });
});
describe('Set-up', () => {
  beforeAll(() => { throw new Error('set-up broke'); });
  it('never runs', () => {});
});
describe('Clean-up', () => {
  afterAll(() => { throw new Error('clean-up broke'); });
  it('runs', () => {});
});

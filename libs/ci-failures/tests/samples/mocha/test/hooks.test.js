describe('hooks', () => {
  describe('before all', () => {
    before(() => {
      throw new Error('set-up failed');
    });
    it('one', () => {});
    it('two', () => {});
  });
  describe('before each', () => {
    beforeEach(function prepare() {
      throw new Error('preparation failed');
    });
    it('three', () => {});
    it('four', () => {});
  });
  describe('after each', () => {
    afterEach(() => {
      throw new Error('tear-down failed');
    });
    it('five', () => {});
  });
});
let tries = 0;
it('passes when tried again', function () {
  this.retries(2);
  tries += 1;
  if (tries < 2) throw new Error('not yet');
});
it('prints what others print', () => {
  console.log('  6 failing as expected\n\n  3 failing\n\n  1) decoy\n       of another tool:\n     Error: x\n      at a (b.js:1:2)\n');
  console.log('not ok 1 - decoy\n  ● decoy › x\n FAIL  src/a.test.mjs > decoy\n');
});

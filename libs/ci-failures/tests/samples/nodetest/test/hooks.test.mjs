import { after, afterEach, before, describe, it, test } from 'node:test';

describe('hooks', () => {
  describe('before all', () => {
    before(() => {
      throw new Error('set-up failed');
    });
    it('one', () => {});
    it('two', () => {});
  });
  describe('after each', () => {
    afterEach(() => {
      throw new Error('tear-down failed');
    });
    it('three', () => {});
  });
  describe('after all', () => {
    after(() => {
      throw new Error('end failed');
    });
    it('four', () => {});
  });
});
test('prints what others print', () => {
  console.log('not ok 7 - decoy of another tool\n✖ failing tests:\n\n✖ decoy (1ms)\n  Error: x\n');
  console.log('  1 failing\n\n  1) decoy:\n     Error: x\n # Subtest: decoy\n FAIL  src/a.test.mjs > decoy\n');
});

const assert = require('assert');
const { read, fetchAll } = require('../lib/store');

describe('Auth', () => {
  describe('login', () => {
    it('accepts', () => {});
    it('rejects', () => {
      assert.deepStrictEqual({ user: 'a', roles: ['x', 'y'] }, { user: 'b', roles: ['x'] });
    });
    it('ends with a colon:', () => {
      read('gone');
    });
    describe('Errors:', () => {
      it('are nested', () => {
        assert.ok(false);
      });
    });
  });
  for (const [name, n] of [['a b', 1], ['c - d', 2], ["it's \"quoted\"", 3], ['[x](y)', 4], ['$HOME', 5]]) {
    it(`takes ${name} as ${n}`, () => {
      assert.strictEqual(n % 2, 0);
    });
  }
  it.skip('is skipped', () => {
    throw new Error('never');
  });
  it('is to be done');
  it('waits', async () => {
    await fetchAll('https://example.org/x');
  });
  it('is slow', (done) => {
    setTimeout(done, 400);
  }).timeout(50);
});

it('top level fails ✗ ünïcode 日本', () => {
  assert.equal('a', 'b');
});
it('throws what is no error', () => {
  throw 'a bare string';
});
it('has a message of several lines', () => {
  throw new Error('first line\n\n  1) a decoy\n       of a test:\n\n  2 failing\n\n  1) decoy:\n     Error: x\n\nlast line');
});

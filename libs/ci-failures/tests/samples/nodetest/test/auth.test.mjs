import assert from 'node:assert';
import { describe, it, test } from 'node:test';
import { fetchAll, read } from '../lib/store.mjs';

describe('Auth', () => {
  describe('login', () => {
    it('accepts', () => {});
    it('rejects', () => {
      assert.deepStrictEqual({ user: 'a', roles: ['x', 'y'] }, { user: 'b', roles: ['x'] });
    });
    it('reads > nested names', () => {
      read('gone');
    });
  });
  for (const [name, n] of [['a b', 1], ['c - d', 2], ["it's \"quoted\"", 3], ['[x](y)', 4], ['$HOME # 1', 5]]) {
    it(`takes ${name} as ${n}`, () => {
      assert.strictEqual(n % 2, 0);
    });
  }
  it.skip('is skipped', () => {
    throw new Error('never');
  });
  it.todo('is to be done');
  it('is known to fail', { todo: true }, () => {
    throw new Error('known');
  });
  it('waits', async () => {
    await fetchAll('https://example.org/x');
  });
  it('is slow', { timeout: 50 }, async () => {
    await new Promise((done) => setTimeout(done, 400));
  });
});

test('outer', async (t) => {
  await t.test('inner fails', () => {
    assert.ok(false, 'inner message');
  });
  await t.test('inner passes', () => {});
  await t.test('inner nest', async (u) => {
    await u.test('deepest', () => {
      throw new TypeError('deep');
    });
  });
});
test('outer fails itself', async (t) => {
  await t.test('passes', () => {});
  throw new Error('after its subtest');
});
test('top level fails ✗ ünïcode 日本', () => {
  assert.equal('a', 'b');
});
test('throws what is no error', () => {
  throw 'a bare string';
});
test('has a message of several lines', () => {
  throw new Error('first line\n\n✖ a decoy (1ms)\nnot ok 1 - decoy\n  1 failing\n\nlast line');
});

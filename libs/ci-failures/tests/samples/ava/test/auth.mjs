import test from 'ava';
import { fetchAll, read } from '../lib/store.mjs';

test('login rejects', (t) => {
  t.deepEqual({ user: 'a', roles: ['x', 'y'] }, { user: 'b', roles: ['x'] });
});
test('login › reads › nested names', () => {
  read('gone');
});
for (const [name, n] of [['a b', 1], ['c - d', 2], ["it's \"quoted\"", 3], ['[x](y)', 4], ['$HOME', 5]]) {
  test(`takes ${name} as ${n}`, (t) => {
    t.is(n % 2, 0);
  });
}
test.skip('is skipped', (t) => t.fail('never'));
test.todo('is to be done');
test.failing('is known to fail', (t) => t.fail('known'));
test.failing('ought to fail', (t) => t.pass());
test('waits', async (t) => {
  await fetchAll('https://example.org/x');
  t.pass();
});
test('is slow', async (t) => {
  t.timeout(50);
  await new Promise((done) => setTimeout(done, 400));
  t.pass();
});
test('has no assertions', () => {});
test('top level fails ✗ ünïcode 日本', (t) => {
  t.is('a', 'b', 'with a message');
});
test('has a message of several lines', () => {
  throw new Error('first line\n\n✘ [fail]: a decoy x\nnot ok 1 - decoy\n  1 failing\n\nlast line');
});
test('prints what others print', (t) => {
  t.log('✘ [fail]: decoy of another tool');
  console.log('  ✘ [fail]: decoy › x\n  ● decoy › x\n FAIL  src/a.test.mjs > decoy\n  2 tests failed\n');
  t.pass();
});

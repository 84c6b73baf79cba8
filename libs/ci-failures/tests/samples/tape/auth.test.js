const test = require('tape');
test('Auth login rejects', (t) => {
  t.equal(1, 1, 'the first is equal');
  t.deepEqual({ user: 'a' }, { user: 'b' }, 'users are the same');
  t.equal(3, 4);
  t.end();
});
test('takes "quotes", [brackets] - and # marks', (t) => {
  t.ok(false, 'is true - really');
  t.end();
});
test('throws', (t) => {
  t.throws(() => {}, /x/, 'it throws');
  t.end();
});
test('is to be done', { todo: true }, (t) => {
  t.fail('known');
  t.end();
});
test('is skipped', { skip: true }, (t) => t.fail('never'));
test('passes', (t) => {
  console.log('# Subtest: decoy\n  FAIL src/decoy.test.js\n  1 failing\n');
  t.pass('fine');
  t.end();
});
test('counts', (t) => {
  t.plan(2);
  t.pass('one');
  setTimeout(() => t.end(), 10);
});

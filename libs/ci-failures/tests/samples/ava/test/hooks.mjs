import test from 'ava';
test.before(() => {
  throw new Error('set-up failed');
});
test('one', (t) => t.pass());

const t = require('tap');
t.test('Auth', (t) => {
  t.test('login', (t) => {
    t.equal(1, 1, 'accepts');
    t.same({ user: 'a' }, { user: 'b' }, 'rejects');
    t.end();
  });
  t.equal(3, 4, 'takes "quotes", [brackets] - here');
  t.end();
});
t.test('throws', async () => {
  throw new Error('thrown');
});
t.test('is to be done', { todo: true }, (t) => {
  t.fail('known');
  t.end();
});
t.fail('is skipped', { skip: 'never' });

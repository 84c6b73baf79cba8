const t = require('tap');
t.test('passes', (t) => {
  t.pass('fine');
  t.end();
});
t.test('fails', (t) => {
  t.ok(false, 'is true');
  t.end();
});

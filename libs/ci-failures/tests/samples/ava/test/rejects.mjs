import test from 'ava';
test('leaves a rejection behind', (t) => {
  Promise.reject(new Error('nobody caught it'));
  t.pass();
});

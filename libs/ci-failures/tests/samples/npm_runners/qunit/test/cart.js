const { test, module: suite } = QUnit;
const total = (items) => {
  if (!items) throw new TypeError('no items\nsecond line');
  return items.length;
};
suite('Cart', () => {
  test('adds', (assert) => { assert.equal(total([1]), 2, 'total is right'); });
  test('passes', (assert) => { assert.equal(total([]), 0); });
  test('two assertions', (assert) => { assert.ok(false, 'first'); assert.strictEqual('a\nb', 'c'); });
  test.skip('skipped', (assert) => {});
  test.todo('still to do', (assert) => { assert.ok(false); });
  suite('when empty', () => {
    test('throws', (assert) => { total(); });
    test('deep # 1 - "quoted" {x: 1}', (assert) => { assert.deepEqual({ a: [1, 2] }, { a: [1] }); });
  });
});
suite('Set-up', { beforeEach() { throw new Error('set-up broke'); } }, () => {
  test('one', (assert) => { assert.ok(true); });
});
test('without a suite', (assert) => { assert.expect(2); assert.ok(true); });
test('times out', (assert) => { assert.timeout(20); assert.async(); });
test('rejects "it"', async (assert) => { await Promise.reject(new RangeError('never')); });
test('what is # TODO is a title', (assert) => { assert.ok(false, 'not done'); });
test.each('each', [[1, 2], [3, 3]], (assert, [left, right]) => assert.equal(left, right));

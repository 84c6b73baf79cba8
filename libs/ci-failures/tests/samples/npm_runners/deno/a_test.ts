const same = (one: unknown, other: unknown) => {
  if (one !== other) throw new Error(`Values are not equal: ${one} ${other}`);
};
Deno.test('adds', () => same(1, 2));
Deno.test('passes', () => {});
Deno.test({ name: 'ignored', ignore: true, fn() {} });
Deno.test('outer', async (t) => {
  await t.step('inner ok', () => {});
  await t.step('inner bad', async (inner) => {
    await inner.step('deep', () => same('x', 'y'));
  });
});

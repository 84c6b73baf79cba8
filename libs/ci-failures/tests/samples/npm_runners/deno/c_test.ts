Deno.test('adds', () => {
  throw new TypeError('of c');
});

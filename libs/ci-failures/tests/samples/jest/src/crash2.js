test('fails beside', () => {
  expect(1).toBe(2);
});

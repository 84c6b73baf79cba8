test('renders', () => {
  expect({ title: 'new', items: [1, 2] }).toMatchSnapshot();
});
test('renders inline', () => {
  expect('new').toMatchInlineSnapshot(`"old"`);
});
test('has no snapshot yet', () => {
  expect('fresh').toMatchSnapshot();
});

export default [
  {
    files: ['src/**/*.js'],
    languageOptions: { globals: { console: 'readonly' } },
    rules: {
      'no-unused-vars': 'error', eqeqeq: 'error', 'no-undef': 'error', 'no-console': 'warn', semi: 'error',
      'max-len': ['error', 60], 'no-restricted-syntax': ['error', { selector: 'WithStatement', message: 'no  with' }],
    },
  },
];

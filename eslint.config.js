// The lint that runs as part of `npm test`: typed rules that catch lost promises and careless types.
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['node_modules/', '.cradle/', 'console/dist/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      // node:test's test() returns a promise that the runner itself awaits.
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', name: ['test', 'it', 'describe', 'suite'], package: 'node:test' }] }],
    },
  },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
)

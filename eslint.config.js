// The lint that runs as part of `npm test`: typed rules that catch lost promises and careless types.
import tseslint from 'typescript-eslint'

/** Where a statement is written as a template; in it stand constants, by their capitals, and calls that make SQL. */
const STATEMENTS = ['CallExpression[callee.property.name="query"]', 'Property[key.name="text"]']
const NO_SQL = ':not(Identifier[name=/^[A-Z_]+$/], CallExpression, AwaitExpression, TemplateElement)'

export default tseslint.config(
  { ignores: ['node_modules/', '.cradle/', 'console/dist/', 'console/generated/', 'clients/typescript/dist/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      // node:test's test() returns a promise that the runner itself awaits.
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', name: ['test', 'it', 'describe', 'suite'], package: 'node:test' }] }],
    },
  },
  {
    // All that requests lead to. Backups, migrations and verification name tables that they read from the catalogue.
    files: ['src/postgres/**/*.ts'],
    ignores: ['**/*.test.ts', 'src/postgres/{embedded,verification}/**', 'src/postgres/migrations.ts', 'src/postgres/backup/backup*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...STATEMENTS.map((statement) => ({
          selector: `${statement} > TemplateLiteral > ${NO_SQL}`,
          message: 'A value stands in no statement: send it as a parameter',
        })),
      ],
    },
  },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
)

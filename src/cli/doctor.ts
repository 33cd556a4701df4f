// `cradle doctor`: says what is right and wrong with this installation, and ends with 1 where anything is wrong.
import { readConfig } from '../config.ts'
import { runChecks, type CheckResult } from './diagnose.ts'
import { print } from './with-database.ts'

const SUBJECT_CHARACTERS = 15
const VERDICT_CHARACTERS = 7

export async function doctorCommand(options: { readonly json?: boolean }): Promise<void> {
  const findings = await runChecks(readConfig(process.env))
  if (options.json) print(JSON.stringify(findings))
  else for (const finding of findings) print(describe(finding))
  if (findings.some(({ verdict }) => verdict === 'wrong')) process.exitCode = 1
}

const describe = ({ subject, verdict, sentence }: CheckResult): string =>
  `${verdict.padEnd(VERDICT_CHARACTERS)}  ${subject.padEnd(SUBJECT_CHARACTERS)}  ${sentence}`

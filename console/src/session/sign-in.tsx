// Signing in: the key once, pasted or from a password manager.
import { useMutation } from '@tanstack/react-query'
import { useId, type FormEvent } from 'react'
import { Problem } from '../api/problem.ts'
import { CodeToCopy } from '../components/copyable-code.tsx'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { Brand } from '../layout/brand.tsx'
import { LanguageSwitch, SchemeSwitch } from '../layout/preferences.tsx'
import { useTitle } from '../layout/title.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useSigning } from './session-requests.ts'
import './sign-in.css'

const START = 'npm start'
const COMMAND = 'npm run -s cradle -- keys create --account demo'

const isWrongKey = (error: Error): boolean => error instanceof Problem && error.status === 401

export function SignIn() {
  const t = useMessages({ en, de })
  const { signIn } = useSigning()
  const { mutate, isPending, error } = useMutation({ mutationFn: signIn })
  const id = useId()
  useTitle(t('title'))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = new FormData(event.currentTarget).get('key')
    if (typeof key === 'string' && key.trim() !== '') mutate(key.trim())
  }
  return (
    <div className="sign-in">
      <header className="sign-in-top">
        <Brand />
        <LanguageSwitch />
        <SchemeSwitch />
      </header>
      <main className="card">
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
        <form onSubmit={submit}>
          <input type="text" name="username" autoComplete="username" value="cradle" readOnly hidden />
          <label htmlFor={id}>{t('key')}</label>
          <input
            id={id}
            name="key"
            type="password"
            autoComplete="current-password"
            placeholder="cradle_…"
            spellCheck={false}
            required
          />
          <button className="button button-primary" disabled={isPending}>
            {t(isPending ? 'checking' : 'submit')}
          </button>
        </form>
        {error && <ProblemNotice problem={error} sentence={isWrongKey(error) ? t('wrongKey') : undefined} />}
        <Help />
      </main>
    </div>
  )
}

/** For who stands here for the first time: `npm start` is all that has been done then. */
function Help() {
  const t = useMessages({ en, de })
  return (
    <>
      <h2>{t('what')}</h2>
      <p>{t('whatHelp')}</p>
      <h2>{t('where')}</h2>
      <ul>
        <li>{t('first', { start: START })}</li>
        <li>
          {t('command')}
          <CodeToCopy code={COMMAND} />
        </li>
        <li>{t('colleague')}</li>
      </ul>
    </>
  )
}

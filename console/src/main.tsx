// The console begins here.
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/forms.css'
import './styles/layout.css'
import './styles/print.css'

createRoot(document.getElementById('console')!).render(<App />)

// Restatements: the list of all, the form for a new one, or the page of the one that the path names.
import { Route, Switch } from 'wouter'
import { NewRestatement } from './new-restatement.tsx'
import { RestatementList } from './restatement-list.tsx'
import { RestatementPage } from './restatement-page.tsx'
import './restatements.css'

export const RestatementPages = () => (
  <Switch>
    <Route path="/restatements/new">
      <NewRestatement />
    </Route>
    <Route path="/restatements/:id">{({ id }) => <RestatementPage key={id} id={id} />}</Route>
    <Route>
      <RestatementList />
    </Route>
  </Switch>
)

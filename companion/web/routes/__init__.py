"""All addresses of the page, by what a person wants there."""

from starlette.routing import BaseRoute

from companion.web.routes import assets, correct, doors, history, live, setup, table

ROUTES: list[BaseRoute] = [
    *live.ROUTES,
    *table.ROUTES,
    *setup.ROUTES,
    *correct.ROUTES,
    *history.ROUTES,
    *doors.ROUTES,
    *assets.ROUTES,
]

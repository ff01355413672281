"""Components that are classes, templates of Angular, Lit and Solid, and elements that only have a style of their own."""

from __future__ import annotations

import pytest

from mass_pipeline.extraction.code.angular import angular_markup
from mass_pipeline.extraction.reader import read_document
from mass_pipeline.extraction.site_code import pages_of_site
from mass_pipeline.model.document import LineKind

ROWS = "[{ d: 'Niedziela', h: ['7.00', '9.00'] }, { d: 'Sobota', h: ['8.00'] }]"
SHOWN = ["Niedziela: 7.00, 9.00", "Sobota: 8.00"]


def shown(source: str, name: str = "a.tsx") -> list[str]:
    return [line.text for line in read_document(source, url=name).lines]


class TestAngular:
    @pytest.mark.parametrize(
        ("template", "field"),
        [
            ("@for (r of rows; track r.d) { <p>{{ r.d }}: {{ r.h.join(', ') }}</p> } @empty { <p>6.00</p> }", f"rows = {ROWS}"),
            ('<p *ngFor="let r of rows; let i = index">{{ r.d }}: {{ r.h.join(", ") }}</p>', f"readonly rows: Row[] = {ROWS}"),
            ("@for (r of rows(); track $index) { <p>{{ r.d | titlecase }}: {{ r.h.join(', ') }}</p> }", f"rows = signal({ROWS})"),
            (
                '<div *ngIf="rows.length; else none"><p *ngFor="let r of rows">{{r.d}}: {{r.h.join(", ")}}</p></div>'
                "<ng-template #none><p>6.00</p></ng-template>",
                f"rows: Row[] = []; ngOnInit() {{ this.rows = {ROWS}; }}",
            ),
            (
                '<p *ngFor="let r of rows">{{ r.d }}: <ng-container *ngFor="let g of r.h; let last = last">{{ g }}'
                '<ng-container *ngIf="r.h.length > 1 && g !== r.h[1]">, </ng-container></ng-container></p>',
                f"get rows() {{ return {ROWS}; }}",
            ),
        ],
    )
    def test_a_template_shows_the_fields_of_its_class(self, template: str, field: str) -> None:
        code = f"@Component({{ selector: 'a', template: `{template}` }})\nexport class A {{ {field} }}"

        assert shown(code, "a.component.ts") == SHOWN

    def test_of_two_branches_the_one_that_holds_is_shown(self) -> None:
        template = "@if (note) { <p>8.00</p> } @else { <p>9.00</p> } @if (!note) { <p>6.00</p> } @else if (note) { <p>10.00</p> }"
        code = f"@Component({{ template: `{template}` }})\nexport class A {{ note = 'suma' }}"

        assert shown(code, "a.ts") == ["8.00", "10.00"]

    def test_a_template_in_a_file_of_its_own_is_shown_with_its_class(self) -> None:
        code = f"@Component({{ templateUrl: './msze.component.html' }})\nexport class Msze {{ rows = {ROWS}; office = '6.00' }}"
        template = '<p *ngFor="let r of rows">{{ r.d }}: {{ r.h.join(", ") }}</p>'
        pages = pages_of_site([("app/msze.component.ts", code), ("app/msze.component.html", template)])

        lines = [line.text for one in pages for line in read_document(*one[1:2], content_type=one[2], url=one[0]).lines]

        assert lines == SHOWN

    def test_without_the_file_of_its_template_the_rows_of_a_class_are_read(self) -> None:
        rows = "rows = [{ label: 'Sobota', hours: ['18.00'], winter: '17.00' }]"

        assert shown(f"@Component({{ templateUrl: './x.html' }})\nexport class A {{ {rows} }}", "a.ts") == [
            "Sobota: 18.00 (zimą 17.00)"
        ]

    @pytest.mark.parametrize(
        "template", ["@for (", "@if (a) {{", "@media print { a }", "}}{{", "@" * 50, "a@b.pl {{ x", "@else {"]
    )
    def test_broken_templates_end_somewhere(self, template: str) -> None:
        assert isinstance(angular_markup(template), str)


class TestClasses:
    @pytest.mark.parametrize(
        "code",
        [
            f"class A extends React.Component {{ state = {{ rows: {ROWS} }};\n"
            "render() { return <div>{this.state.rows.map(r => this.row(r))}</div> }\n"
            "row = (r) => <p>{r.d}: {r.h.join(', ')}</p>; }",
            f"class A extends Component {{ constructor(props) {{ super(props); this.rows = {ROWS}; }}\n"
            "row(r) { return <p>{r.d}: {r.h.join(', ')}</p> }\n"
            "render() { const all = []; for (const r of this.rows) { all.push(this.row(r)) } return <div>{all}</div> } }",
            f"export class A extends LitElement {{ constructor() {{ super(); this.rows = {ROWS}; }}\n"
            "render() { return html`<div @click=${this.open} .rows=${this.rows}>"
            "${this.rows.map(r => html`<p>${r.d}: ${r.h.join(', ')}</p>`)}</div>` } }",
            f"class A extends HTMLElement {{ rows = {ROWS};\n"
            "connectedCallback() { this.innerHTML = this.rows.map(r => `<p>${r.d}: ${r.h.join(', ')}</p>`).join('') } }",
            f"const rows = {ROWS};\nclass A {{ constructor(el) {{ this.el = el }}\n"
            "show() { const out = document.querySelector('#x');\n"
            "rows.forEach(r => { const p = document.createElement('p'); p.textContent = r.d + ': ' + r.h.join(', ');"
            " out.append(p) }) } }\nnew A().show();",
        ],
    )
    def test_show_what_their_methods_make_of_their_fields(self, code: str) -> None:
        assert shown(code) == SHOWN


class TestSolid:
    def test_loops_and_conditions_are_elements(self) -> None:
        code = (
            f"const A = () => {{ const [rows] = createSignal({ROWS}); return <div><For each={{rows()}}>{{(r) =>"
            " <p>{r.d}: {r.h.join(', ')}<Show when={r.h.length > 5} fallback={null}> 6.00</Show></p>}</For></div> }"
        )

        assert shown(code) == SHOWN


class TestStyledElements:
    def test_are_what_they_style(self) -> None:
        code = (
            "const Head = styled.h2`color: red;`;\nconst Small = styled(Head)`a: b`;\nconst Row = styled.li.attrs({ a: 1 })`x`;\n"
            "const Bold = styled('strong')({ a: 1 });\n"
            "export default () => <ul><Head>Msze</Head><Row><Bold>8.00</Bold></Row><Small>Biuro</Small></ul>"
        )
        lines = read_document(code, url="a.jsx").lines

        assert [(line.text, line.kind) for line in lines] == [
            ("Msze", LineKind.HEADING),
            ("8.00", LineKind.LIST_ITEM),
            ("Biuro", LineKind.HEADING),
        ]

    def test_a_title_of_another_file_is_a_heading(self) -> None:
        lines = read_document("export default () => <div><MassTitle>Msze</MassTitle><p>8.00</p></div>", url="a.jsx").lines

        assert lines[0].kind is LineKind.HEADING


class TestClassesOfOthers:
    """Classes that another component shows, or of which it takes an object."""

    def test_a_class_shows_what_it_is_given(self) -> None:
        source = (
            "class Day extends Component { render() { const { d, h } = this.props; return <p>{d}: {h.join(', ')}</p>; } }\n"
            f"const rows = {ROWS};\n"
            "export default class Week extends Component {\n"
            "  constructor(props) { super(props); this.state = { rows: rows }; }\n"
            "  render() { return <div>{this.state.rows.map((r) => <Day d={r.d} h={r.h} />)}</div>; }\n"
            "}"
        )

        assert shown(source) == SHOWN

    @pytest.mark.parametrize("taken", ["constructor(private masses: MassService) {}", "private masses = inject(MassService);"])
    @pytest.mark.parametrize("given", ["this.masses.all().subscribe((r) => (this.rows = r))", "this.rows = this.masses.rows"])
    @pytest.mark.parametrize("pipe", ["", " | async"])
    def test_a_service_gives_what_it_holds(self, taken: str, given: str, pipe: str) -> None:
        template = f"<p *ngFor=\"let r of rows{pipe}\">{{{{ r.d }}}}: {{{{ r.h.join(', ') }}}}</p>"
        files = [
            ("app/mass.service.ts", f"export class MassService {{ rows = {ROWS}; all() {{ return of(this.rows); }} }}"),
            (
                "app/app.component.ts",
                "import { MassService } from './mass.service';\n"
                f"@Component({{ selector: 'app-root', template: `{template}` }})\n"
                f"export class App {{ rows = []; {taken} ngOnInit() {{ {given}; }} }}",
            ),
        ]
        pages = [
            (one.name, one.content.encode() if isinstance(one.content, str) else one.content) for one in pages_of_site(files)
        ]

        assert [
            line.text for name, page in pages for line in read_document(page, url=name, content_type="text/html").lines
        ] == SHOWN

    def test_a_service_of_a_package_gives_nothing(self) -> None:
        template = "<p *ngFor='let r of rows'>{{ r.d }} 8.00</p>"
        source = (
            f"@Component({{ template: `{template}` }}) export class App {{ constructor(private masses: Remote) {{}} "
            "ngOnInit() { this.rows = this.masses.rows; } }"
        )

        assert shown(source) == []

    def test_a_class_that_makes_objects_of_itself_ends(self) -> None:
        source = (
            f"class A {{ other = new A(); rows = {ROWS}; }}\nconst a = new A();\nexport default () => <p>{{a.rows[0].d}} 7.00</p>"
        )

        assert shown(source) == ["Niedziela 7.00"]


class TestEnumerations:
    def test_name_the_keys_of_an_order(self) -> None:
        source = (
            "export enum Day { Sunday = 'Niedziela', Saturday = 'Sobota' }\n"
            "const order: Record<Day, string[]> = { [Day.Sunday]: ['7.00', '9.00'], [Day.Saturday]: ['8.00'] };\n"
            "export default () => <>{[Day.Sunday, Day.Saturday].map((d) => <p key={d}>{d}: {order[d].join(', ')}</p>)}</>;"
        )

        assert shown(source) == SHOWN

    def test_without_values_are_numbers(self) -> None:
        source = "enum Day { Su, Mo }\nconst names = ['Niedziela', 'Wtorek'];\nexport default () => <p>{names[Day.Mo]} 8.00</p>;"

        assert shown(source) == ["Wtorek 8.00"]


class TestWhatAClickOpens:
    def test_is_seen_though_it_is_closed_at_first(self) -> None:
        source = (
            "function Item({ title, children }) { const [open, setOpen] = useState(false);\n"
            "  return <div><button onClick={() => setOpen(!open)}>{title}</button>{open && <p>{children}</p>}</div>; }\n"
            "export default () => <><Item title='Niedziela'>7.00, 9.00</Item><Item title='Sobota'>8.00</Item></>;"
        )

        assert shown(source) == ["Niedziela", "7.00, 9.00", "Sobota", "8.00"]

    def test_what_the_code_switches_off_is_not(self) -> None:
        source = "const archived = false;\nexport default () => <div><p>Sobota 8.00</p>{archived && <p>Niedziela 5.00</p>}</div>;"

        assert shown(source) == ["Sobota 8.00"]

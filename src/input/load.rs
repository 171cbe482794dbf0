//! From files to a [`Model`]: every file is read by its schema, then the rules across files are
//! applied, and what passed becomes the model.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::Hash,
    sync::Arc,
};

use chrono::NaiveDate;
use indexmap::{IndexMap, IndexSet};
use rayon::prelude::*;
use toml::de::DeTable;

use crate::{
    diagnostic::{self, Code, Diagnostic, Place, Span},
    input::{
        Input, cell,
        faults::{Faults, nearest},
        note,
        row::{self, Row},
        rules::{
            boards::{self, Outline},
            claims, duplicates,
            known::{self, Known, StudyIds, find, named, notes},
            ranges,
            samples::{self, Medians, Positions, Sample, SampleSpan},
            targets,
        },
        schema::{self, Content, Entity, FileKind, FileSchema},
        settings::{self, Settings},
        source::{self, Decoded, Source, Sources},
        table::{self, Fitted},
    },
    model::{
        Batch, BatchId, BoardId, ClassId, DataFile, Distance, Document, Family, FamilyId, Gpu,
        GpuId, Implementation, ImplementationId, Item, ItemId, Labels, LatencyRecord, Link,
        MacroEval, Model, News, Note, NoteId, NoteSeverity, Operator, OperatorId, Outcome,
        OutcomeKind, RatioRecord, RecordKey, Retest, RetestOutcome, Role, Run, RunId, Shape, Site,
        Study, StudyId, Subset, Table, TrajectoryId, TrajectoryPoint, TrajectoryPointKind,
        Withdrawal,
    },
};

/// Reads the files of a data folder, each with its path relative to the folder. `found` is what
/// was wrong with the folder itself.
pub fn load_files(
    files: Vec<(String, Vec<u8>)>,
    found: Vec<Diagnostic>,
    today: Option<NaiveDate>,
) -> Input {
    let mut decoded: Vec<Decoded> =
        files.into_par_iter().map(|(path, bytes)| source::decode(&path, bytes)).collect();
    decoded.sort_by(|a, b| a.source.path.cmp(&b.source.path));
    let mut list = found;
    for file in &mut decoded {
        list.append(&mut file.faults);
    }
    let model = read_all(&decoded, today, &mut list);
    diagnostic::sort(&mut list);
    let model = model.filter(|_| !list.iter().any(Diagnostic::is_error));
    let sources = Sources::new(decoded.into_iter().map(|file| file.source).collect());
    Input { model, diagnostics: list, sources }
}

/// A file that was read by its schema.
struct Read<'s> {
    schema: &'static FileSchema,
    source: &'s Source,
    content: Parsed<'s>,
    faults: Vec<Diagnostic>,
}

enum Parsed<'s> {
    /// A table, or nothing where its header cannot be gone by.
    Table(Option<Fitted<'s>>),
    /// Settings, or front matter with the body behind it; nothing where it is no TOML.
    Settings(Option<(DeTable<'s>, usize, &'s str)>),
}

/// The files that belong together: those of the site, or those of one study.
#[derive(Default)]
struct Files<'r, 's> {
    by_kind: BTreeMap<FileKind, Vec<&'r Read<'s>>>,
}

impl<'r, 's> Files<'r, 's> {
    fn of(&self, kind: FileKind) -> &[&'r Read<'s>] {
        self.by_kind.get(&kind).map_or(&[], Vec::as_slice)
    }

    fn has(&self, kind: FileKind) -> bool {
        self.by_kind.contains_key(&kind)
    }

    fn tables(&self, kind: FileKind) -> impl Iterator<Item = &'r Fitted<'s>> {
        self.of(kind).iter().filter_map(|file| match &file.content {
            Parsed::Table(table) => table.as_ref(),
            Parsed::Settings(_) => None,
        })
    }

    /// Whether all tables of a kind could be read whole.
    fn complete(&self, kind: FileKind) -> bool {
        self.of(kind)
            .iter()
            .all(|file| matches!(&file.content, Parsed::Table(Some(fitted)) if fitted.complete))
    }
}

fn read_all(
    decoded: &[Decoded],
    today: Option<NaiveDate>,
    list: &mut Vec<Diagnostic>,
) -> Option<Model> {
    let mut expected = Vec::new();
    for file in decoded {
        match schema::classify(&file.source.path) {
            Some((schema, study)) => expected.push((file, schema, study)),
            None => list.push(unexpected(&file.source)),
        }
    }
    let reads: Vec<Read> = expected
        .par_iter()
        .map(|(file, schema, _)| read(&file.source, schema, file.readable, today))
        .collect();
    let mut site_files = Files::default();
    let mut studies: BTreeMap<&str, Files> = BTreeMap::new();
    for (read, (_, _, study)) in reads.iter().zip(&expected) {
        list.extend(read.faults.iter().cloned());
        let files = match study {
            Some(study) => studies.entry(study).or_default(),
            None => &mut site_files,
        };
        files.by_kind.entry(read.schema.kind).or_default().push(read);
    }
    let gpus = gpus(&site_files, today, list);
    let gpu_ids = entity_ids(&site_files, FileKind::Gpus, "id", |text| GpuId::parse(text).ok());
    let pages = pages(&site_files, list);
    let news = news(&site_files, list);
    let site = site(&site_files, list);
    within_limits(&site_files, &reads, list);
    let studies = studies
        .iter()
        .filter_map(|(name, files)| study(name, files, gpu_ids.clone(), today, list))
        .map(|study| (study.id.clone(), study))
        .collect();
    let files = decoded
        .iter()
        .map(|file| DataFile { path: file.source.path.clone(), text: file.source.text.clone() })
        .collect();
    Some(Model { site: site?, pages, news, gpus, studies, files })
}

/// Reads one file by its schema.
fn read<'s>(
    source: &'s Source,
    schema: &'static FileSchema,
    readable: bool,
    today: Option<NaiveDate>,
) -> Read<'s> {
    let mut faults = Faults::new(source);
    let content = match schema.content {
        Content::Table { .. } | Content::FreeTable => {
            let table = readable.then(|| table::read(source, schema, &mut faults)).flatten();
            Parsed::Table(table)
        }
        Content::Settings(keys) => {
            let range = source.start()..source.text.len();
            let parsed = readable.then(|| settings::parse(range, &mut faults)).flatten();
            let parsed = parsed.map(|table| (table, source.start(), ""));
            check_keys(source, parsed.as_ref(), keys, today, &mut faults);
            Parsed::Settings(parsed)
        }
        Content::Markdown(keys) => {
            let parts = readable.then(|| note::split(&mut faults)).flatten();
            let parsed = parts.and_then(|parts| {
                let start = parts.front.start;
                let table = settings::parse(parts.front, &mut faults)?;
                Some((table, start, &source.text[parts.body]))
            });
            check_keys(source, parsed.as_ref(), keys, today, &mut faults);
            Parsed::Settings(parsed)
        }
    };
    Read { schema, source, content, faults: faults.list }
}

fn check_keys(
    source: &Source,
    parsed: Option<&(DeTable, usize, &str)>,
    keys: &[schema::KeySchema],
    today: Option<NaiveDate>,
    faults: &mut Faults,
) {
    if let Some((table, base, _)) = parsed {
        settings::check(&Settings::root(table, &source.text, *base), keys, today, faults);
    }
}

impl<'s> Read<'s> {
    fn settings(&self) -> Option<(Settings<'_>, &'s str)> {
        match &self.content {
            Parsed::Settings(Some((table, base, body))) => {
                Some((Settings::root(table, &self.source.text, *base), body))
            }
            _ => None,
        }
    }

    /// The file's name without its extension.
    fn stem(&self) -> &'s str {
        let name = self.source.path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Where the file begins.
    fn beginning(&self) -> Span {
        self.source.span(self.source.start()..self.source.start())
    }
}

/// A file that the data folder does not have a place for.
fn unexpected(source: &Source) -> Diagnostic {
    let path = &*source.path;
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_csv = extension.eq_ignore_ascii_case("csv");
    let by_columns = if is_csv { table::kind_by_header(&source.text) } else { None };
    let by_name = schema::FILES.iter().find(|file| file.pattern.rsplit('/').next() == Some(name));
    let place = || Place::File(Arc::clone(&source.path));
    if let Some(file) = by_columns.or(by_name) {
        let target = table::place_for(file, path);
        let (code, message) = if target == path {
            (Code::UnexpectedFile, "files of this kind lie elsewhere".to_owned())
        } else {
            (Code::WrongFolder, format!("{} belong at {}", what(file), file.pattern))
        };
        return Diagnostic::new(code, place(), message, format!("move the file to {target}"));
    }
    let help = match extension.to_ascii_lowercase().as_str() {
        "xlsx" | "xls" | "ods" | "numbers" => {
            "save each sheet as \"CSV UTF-8 (comma delimited)\"".to_owned()
        }
        "csv" if extension != "csv" => "write the extension in lower case: `.csv`".to_owned(),
        _ => {
            // A name or folder that is nearly one of ours.
            let wanted = schema::FILES.iter().map(|file| table::place_for(file, path));
            let wanted: BTreeSet<String> = wanted.collect();
            match nearest(path, wanted.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}?"),
                None => "remove it; names that begin with a dot are passed over".to_owned(),
            }
        }
    };
    Diagnostic::new(
        Code::UnexpectedFile,
        place(),
        format!("the data folder has no place for a file {}", source::shown(path)),
        help,
    )
}

fn what(file: &FileSchema) -> String {
    match file.content {
        Content::Table { .. } => format!("files with these columns ({})", file.name),
        _ => format!("files of this name ({})", file.name),
    }
}

/// The ids of all rows of a kind, with the word on whether all could be read.
fn entity_ids<T: Eq + Hash>(
    files: &Files,
    kind: FileKind,
    column: &str,
    parse: impl Fn(&str) -> Option<T> + Copy,
) -> Known<T> {
    let ids: IndexSet<T> =
        files.tables(kind).flat_map(|fitted| known::ids_of(fitted, column, parse)).collect();
    Known { ids, complete: files.complete(kind) }
}

/// The rows of all files of a kind, after a look for duplicate keys.
fn rows<T: Send>(
    files: &Files,
    kind: FileKind,
    today: Option<NaiveDate>,
    list: &mut Vec<Diagnostic>,
    build: impl Fn(&Row, &mut Faults) -> Option<T> + Sync,
) -> Vec<T> {
    let tables: Vec<&Fitted> = files.tables(kind).collect();
    list.extend(duplicates::check(&tables));
    let mut all = Vec::new();
    for fitted in tables {
        let mut rows = row::read(fitted, today, list, &build);
        if all.is_empty() {
            all = rows;
        } else {
            all.append(&mut rows);
        }
    }
    all
}

/// Rows by their ids. Of two with the same id, which has been reported, the first stays.
fn by_id<K: Eq + Hash + Clone, T>(rows: Vec<T>, id: impl Fn(&T) -> K) -> IndexMap<K, T> {
    let mut map = IndexMap::with_capacity(rows.len());
    for row in rows {
        map.entry(id(&row)).or_insert(row);
    }
    map
}

fn gpus(
    files: &Files,
    today: Option<NaiveDate>,
    list: &mut Vec<Diagnostic>,
) -> IndexMap<GpuId, Gpu> {
    let rows = rows(files, FileKind::Gpus, today, list, |row, _| {
        Some(Gpu {
            id: GpuId::parse(row.text("id")?).ok()?,
            name: row.owned("name")?,
            memory_tb_s: row.float("memory_tb_s"),
            l2_mb: row.float("l2_mb"),
            bf16_tflops: row.float("bf16_tflops"),
            fp8_tflops: row.float("fp8_tflops"),
            source: row.owned("source"),
            span: row.span("id"),
        })
    });
    by_id(rows, |gpu| gpu.id.clone())
}

fn site(files: &Files, list: &mut Vec<Diagnostic>) -> Option<Site> {
    let Some(file) = files.of(FileKind::Site).first() else {
        list.push(Diagnostic::new(
            Code::MissingFile,
            Place::File("site.toml".into()),
            "the data folder has no site.toml",
            "write one with at least the line `title = \"…\"`",
        ));
        return None;
    };
    let (settings, _) = file.settings()?;
    let footer_links = settings
        .tables("footer_links")
        .iter()
        .filter_map(|link| Some(Link { title: link.owned("title")?, url: link.owned("url")? }))
        .collect();
    Some(Site {
        title: settings.owned("title")?,
        tagline: settings.owned("tagline").unwrap_or_default(),
        base_url: settings.owned("base_url").map(|url| url.trim_end_matches('/').to_owned()),
        source_url: settings.owned("source_url"),
        licence: settings.owned("licence"),
        footer_links,
        accent: settings.owned("accent"),
    })
}

/// Holds every file against the limits that `site.toml` sets.
fn within_limits(files: &Files, reads: &[Read], list: &mut Vec<Diagnostic>) {
    let site = files.of(FileKind::Site).first().and_then(|file| file.settings());
    let Some(limits) = site.and_then(|(settings, _)| settings.table("limits")) else { return };
    let (megabytes, rows) = (limits.number("file_mb"), limits.integer("rows"));
    let help = "split the file, or raise the limit in `site.toml`";
    for read in reads {
        let mut report = |message: String| {
            let place = Place::File(Arc::clone(&read.source.path));
            list.push(Diagnostic::new(Code::FileTooLarge, place, message, help));
        };
        #[expect(clippy::cast_precision_loss, reason = "files have less than 2^52 bytes")]
        let found_mb = read.source.text.len() as f64 / 1e6;
        if let Some(most) = megabytes.filter(|most| found_mb > *most) {
            report(format!("the file has {found_mb:.3} MB, and this site takes {most} MB at most"));
        }
        let Parsed::Table(Some(fitted)) = &read.content else { continue };
        if let Some(most) = rows.filter(|most| fitted.table.len() > *most as usize) {
            let found = fitted.table.len();
            report(format!("the table has {found} rows, and this site takes {most} at most"));
        }
    }
}

/// Reports the name of a file or folder that is not an id.
fn check_name(name: &str, path: &Arc<str>, what: &str, list: &mut Vec<Diagnostic>) {
    let source = Source::new(Arc::clone(path), name);
    let mut faults = Faults::new(&source);
    if !cell::id(name, &(0..name.len()), &mut faults) {
        let fault = &faults.list[0];
        list.push(Diagnostic::new(
            Code::InvalidFileName,
            Place::File(Arc::clone(path)),
            format!("the name of the {what} must be an id: {}", fault.message),
            fault.help.clone(),
        ));
    }
}

fn pages(files: &Files, list: &mut Vec<Diagnostic>) -> IndexMap<String, Document> {
    let mut pages = IndexMap::new();
    for file in files.of(FileKind::Page) {
        check_name(file.stem(), &file.source.path, "file", list);
        let Some((settings, body)) = file.settings() else { continue };
        let Some(title) = settings.owned("title") else { continue };
        let page = Document { title, body: body.to_owned(), span: file.beginning() };
        pages.insert(file.stem().to_owned(), page);
    }
    pages
}

fn news(files: &Files, list: &mut Vec<Diagnostic>) -> Vec<News> {
    let mut news = Vec::new();
    for file in files.of(FileKind::News) {
        check_name(file.stem(), &file.source.path, "file", list);
        let Some((settings, body)) = file.settings() else { continue };
        let (Some(title), Some(date)) = (settings.owned("title"), settings.date("date")) else {
            continue;
        };
        let name = file.stem().to_owned();
        news.push(News { name, title, date, body: body.to_owned(), span: file.beginning() });
    }
    news.sort_by(|a, b| (b.date, &a.name).cmp(&(a.date, &b.name)));
    news
}

/// Reads one study, in the order in which one file depends on another: ids first, then boards,
/// then what names them.
fn study(
    name: &str,
    files: &Files,
    gpus: Known<GpuId>,
    today: Option<NaiveDate>,
    list: &mut Vec<Diagnostic>,
) -> Option<Study> {
    let settings_file = files.of(FileKind::Study).first();
    let path: Arc<str> = format!("studies/{name}/study.toml").into();
    check_name(name, &path, "study's folder", list);
    if schema_reserves(name) {
        list.push(Diagnostic::new(
            Code::ReservedId,
            Place::File(Arc::clone(&path)),
            format!("no study can have the id `{name}`: a page of the site has this name"),
            "rename the study's folder",
        ));
    }
    if settings_file.is_none() {
        list.push(Diagnostic::new(
            Code::MissingFile,
            Place::File(path),
            format!("the study `{name}` has no study.toml"),
            "write one with at least the line `title = \"…\"`",
        ));
    }
    let ids = study_ids(files, gpus);
    let operators = rows(files, FileKind::Operators, today, list, |r, f| operator(r, &ids, f));
    let shapes = rows(files, FileKind::Shapes, today, list, |r, f| shape(r, &ids, f));
    let implementations =
        rows(files, FileKind::Implementations, today, list, |r, f| implementation(r, &ids, f));
    let batches = rows(files, FileKind::Batches, today, list, |r, f| batch(r, &ids, f));

    let (samples, medians) = sample_sets(files, &ids, today, list);
    let latencies =
        rows(files, FileKind::Latencies, today, list, |r, f| latency(r, &ids, &medians, f));
    let ratios = rows(files, FileKind::Ratios, today, list, |r, f| ratio(r, &ids, f));
    let retests = rows(files, FileKind::Retests, today, list, |r, f| retest(r, &ids, f));
    let withdrawals =
        rows(files, FileKind::Withdrawals, today, list, |r, f| withdrawal(r, &ids, f));
    let trajectories =
        rows(files, FileKind::Trajectories, today, list, |r, f| trajectory(r, &ids, f));
    let macroeval = macroeval(files, &ids, today, list);

    let tables = free_tables(files, list);
    let settings = settings_file.and_then(|file| file.settings());
    let mut outlines = IndexMap::new();
    let mut boards = IndexMap::new();
    let mut headline = None;
    if let (Some(file), Some((root, _))) = (settings_file, &settings) {
        let mut faults = Faults::new(file.source);
        outlines = boards::outlines(root, &mut faults);
        boards = boards::boards(root, &ids, &tables, &mut faults);
        headline = headline_of(root, &outlines, &mut faults);
        list.append(&mut faults.list);
    }
    let boards_complete = settings.is_some();
    let notes = study_notes(files, &ids, &outlines, boards_complete, list);
    let named = claims::Boards {
        outlines: &outlines,
        complete: boards_complete,
        tables: &tables,
        ids: &ids,
    };
    let claims = rows(files, FileKind::Claims, today, list, |r, f| claims::claim(r, &named, f));

    let (root, _) = settings?;
    let labels = root.table("labels");
    let label = |key: &str, default: String| {
        labels.as_ref().and_then(|labels| labels.owned(key)).unwrap_or(default)
    };
    let default = Labels::default();
    Some(Study {
        id: StudyId::parse(name).ok()?,
        title: root.owned("title")?,
        summary: root.owned("summary").unwrap_or_default(),
        licence: root.owned("licence"),
        citation: root.owned("citation"),
        authors: root.texts("authors").iter().map(|author| author.value.to_owned()).collect(),
        paper_url: root.owned("paper_url"),
        published_on: root.date("published_on"),
        headline,
        tie_band: root.number("tie_band").unwrap_or(0.0),
        require_retest: root.boolean("require_retest").unwrap_or(false),
        labels: Labels {
            operator: label("operator", default.operator),
            shape: label("shape", default.shape),
            implementation: label("implementation", default.implementation),
        },
        boards,
        operators: by_id(operators, |operator| operator.id.clone()),
        shapes: by_id(shapes, |shape| shape.key.clone()),
        implementations: by_id(implementations, |implementation| implementation.id.clone()),
        batches: by_id(batches, |batch| batch.id.clone()),
        latencies,
        samples,
        ratios,
        retests,
        withdrawals,
        claims,
        trajectories,
        tables: tables.into_iter().filter_map(|(path, table)| Some((path, table?))).collect(),
        notes,
        macroeval,
        span: settings_file?.beginning(),
    })
}

fn schema_reserves(name: &str) -> bool {
    crate::model::RESERVED.contains(&name)
}

fn study_ids(files: &Files, gpus: Known<GpuId>) -> StudyIds {
    let shapes = files.tables(FileKind::Shapes).flat_map(known::shapes_of).collect();
    let notes = files.of(FileKind::Note).iter();
    StudyIds {
        gpus,
        operators: entity_ids(files, FileKind::Operators, "id", |t| OperatorId::parse(t).ok()),
        shapes: Known { ids: shapes, complete: files.complete(FileKind::Shapes) },
        implementations: entity_ids(files, FileKind::Implementations, "id", |t| {
            ImplementationId::parse(t).ok()
        }),
        batches: entity_ids(files, FileKind::Batches, "id", |t| BatchId::parse(t).ok()),
        classes: entity_ids(files, FileKind::Batches, "class", |t| ClassId::parse(t).ok()),
        notes: Known {
            ids: notes.filter_map(|note| NoteId::parse(note.stem()).ok()).collect(),
            complete: true,
        },
        families: entity_ids(files, FileKind::Families, "id", |t| FamilyId::parse(t).ok()),
        items: entity_ids(files, FileKind::Items, "id", |t| ItemId::parse(t).ok()),
        runs: entity_ids(files, FileKind::Runs, "id", |t| RunId::parse(t).ok()),
    }
}

fn headline_of(
    root: &Settings,
    outlines: &IndexMap<BoardId, Outline>,
    faults: &mut Faults,
) -> Option<BoardId> {
    let Some(headline) = root.text("headline") else {
        return outlines.keys().next().cloned();
    };
    let found = outlines.get_key_value(headline.value).map(|(id, _)| id.clone());
    if found.is_none() && BoardId::parse(headline.value).is_ok() {
        let names = outlines.keys().map(BoardId::as_str);
        known::unknown(Entity::Board, headline.value, &headline.range, "", names, faults);
    }
    found
}

fn study_notes(
    files: &Files,
    ids: &StudyIds,
    outlines: &IndexMap<BoardId, Outline>,
    boards_complete: bool,
    list: &mut Vec<Diagnostic>,
) -> IndexMap<NoteId, Note> {
    let mut notes = IndexMap::new();
    for file in files.of(FileKind::Note) {
        check_name(file.stem(), &file.source.path, "note", list);
        let Some((settings, body)) = file.settings() else { continue };
        let mut faults = Faults::new(file.source);
        let applies_to = settings
            .texts("applies_to")
            .iter()
            .filter_map(|entry| {
                let (text, range) = (entry.value, &entry.range);
                targets::target(text, range, ids, outlines, boards_complete, &mut faults)
            })
            .collect();
        list.append(&mut faults.list);
        let word = settings.text("severity").map(|text| text.value);
        let severity =
            NoteSeverity::ALL.into_iter().find(|severity| Some(severity.as_str()) == word);
        let (Ok(id), Some(title), Some(severity)) =
            (NoteId::parse(file.stem()), settings.owned("title"), severity)
        else {
            continue;
        };
        let note = Note {
            id: id.clone(),
            title,
            severity,
            applies_to,
            body: body.to_owned(),
            span: file.beginning(),
        };
        notes.insert(id, note);
    }
    notes
}

/// The tables of a study by path below it; none for one that could not be read.
fn free_tables(files: &Files, list: &mut Vec<Diagnostic>) -> BTreeMap<String, Option<Table>> {
    let mut tables = BTreeMap::new();
    for file in files.of(FileKind::Table) {
        let path = file.source.path.splitn(3, '/').nth(2).unwrap_or_default().to_owned();
        let Parsed::Table(Some(fitted)) = &file.content else {
            tables.insert(path, None);
            continue;
        };
        let mut faults = Faults::new(file.source);
        let mut rows = Vec::with_capacity(fitted.table.len());
        let mut spans = Vec::with_capacity(fitted.table.len());
        for index in 0..fitted.table.len() {
            let mut cells = Vec::with_capacity(fitted.table.header.len());
            for &cell in fitted.table.row(index) {
                let text = fitted.table.text(cell).into_owned();
                if !fitted.table.is_broken(index) {
                    cell::free_cell(&text, &cell.range(), &mut faults);
                }
                cells.push(text);
            }
            rows.push(cells);
            spans.push(file.source.span(fitted.table.row_range(index)));
        }
        list.append(&mut faults.list);
        let header = fitted.table.header.iter();
        let header = header.map(|&cell| fitted.table.text(cell).into_owned()).collect();
        tables.insert(path, Some(Table { header, rows, spans }));
    }
    tables
}

fn operator(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<Operator> {
    let notes = notes(ids, row, faults);
    let id = row.text("id")?;
    known::reserved(id, "operator", &row.range("id"), faults);
    Some(Operator {
        id: OperatorId::parse(id).ok()?,
        name: row.owned("name")?,
        family: row.owned("family"),
        standard: row.owned("standard"),
        notes,
        span: row.span("id"),
    })
}

fn shape(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<Shape> {
    let notes = notes(ids, row, faults);
    // Its own row describes the shape; only the operator is looked up.
    let operator = named(&ids.operators, Entity::Operator, row, "operator", faults);
    let (operator, id) = (operator?, row.text("id")?);
    let index = ids.shape(&operator, id, &row.range("id"), faults)?;
    Some(Shape {
        key: ids.shapes.ids[index].clone(),
        name: row.owned("name")?,
        description: row.owned("description"),
        dtype: row.owned("dtype"),
        flops: row.float("flops"),
        bytes: row.float("bytes"),
        notes,
        span: row.span("id"),
    })
}

fn implementation(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<Implementation> {
    let notes = notes(ids, row, faults);
    let role = row.text("role")?;
    Some(Implementation {
        id: ImplementationId::parse(row.text("id")?).ok()?,
        name: row.owned("name")?,
        role: Role::ALL.into_iter().find(|known| known.as_str() == role)?,
        system: row.owned("system"),
        model: row.owned("model"),
        scope: row.owned("scope"),
        commit: row.owned("commit"),
        url: row.owned("url"),
        notes,
        span: row.span("id"),
    })
}

fn batch(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<Batch> {
    let notes = notes(ids, row, faults);
    let gpu = named(&ids.gpus, Entity::Gpu, row, "gpu", faults);
    Some(Batch {
        id: BatchId::parse(row.text("id")?).ok()?,
        name: row.owned("name")?,
        class: ClassId::parse(row.text("class")?).ok()?,
        gpu,
        gpu_count: row.count("gpu_count"),
        driver: row.owned("driver"),
        cuda: row.owned("cuda"),
        software: row.owned("software"),
        timer: row.owned("timer"),
        cache: row.owned("cache"),
        statistic: row.owned("statistic"),
        tool: row.owned("tool"),
        tool_commit: row.owned("tool_commit"),
        command: row.owned("command"),
        measured_on: row.date("measured_on"),
        verified: row.owned("verified"),
        notes,
        span: row.span("id"),
    })
}

/// Positions of the shape, implementation and batch that a row names.
fn positions(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<Positions> {
    let shape = ids.row_shape(row, faults);
    let implementation = row.text("implementation").and_then(|text| {
        let range = row.range("implementation");
        known::position(&ids.implementations, Entity::Implementation, text, &range, faults)
    });
    let batch = row.text("batch").and_then(|text| {
        known::position(&ids.batches, Entity::Batch, text, &row.range("batch"), faults)
    });
    Some([shape?, implementation?, batch?])
}

fn record_key([shape, implementation, batch]: Positions, ids: &StudyIds) -> RecordKey {
    RecordKey {
        shape: ids.shapes.ids[shape].clone(),
        implementation: ids.implementations.ids[implementation].clone(),
        batch: ids.batches.ids[batch].clone(),
    }
}

fn sample_sets(
    files: &Files,
    ids: &StudyIds,
    today: Option<NaiveDate>,
    list: &mut Vec<Diagnostic>,
) -> (Vec<crate::model::SampleSet>, Medians) {
    let tables: Vec<&Fitted> = files.tables(FileKind::Samples).collect();
    list.extend(duplicates::check(&tables));
    let read = tables
        .iter()
        .map(|fitted| {
            let samples = row::read(fitted, today, list, |row, faults| {
                let key = positions(row, ids, faults);
                let (_, latency) = row.number("latency_us")?;
                let range = row.range("latency_us");
                let span = SampleSpan { start: range.start, end: range.end };
                row.count("call")?;
                Some(Sample { key: key?, round: row.count("round")?, latency, span })
            });
            (fitted.table.source, samples)
        })
        .collect();
    samples::sets(read, |key| record_key(key, ids))
}

fn latency(
    row: &Row,
    ids: &StudyIds,
    medians: &Medians,
    faults: &mut Faults,
) -> Option<LatencyRecord> {
    let notes = notes(ids, row, faults);
    let key = positions(row, ids, faults);
    let published = ranges::published(row, "latency_us", "low_us", "high_us", faults);
    let (key, published) = (key?, published?);
    if let Some(median) = medians.get(&key) {
        samples::agrees(row, &published, median, faults);
    }
    Some(LatencyRecord {
        key: record_key(key, ids),
        latency: published.figure,
        model: row.text("model").map(Arc::from),
        notes,
        span: row.span(published.column),
    })
}

fn ratio(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<RatioRecord> {
    let notes = notes(ids, row, faults);
    let key = positions(row, ids, faults);
    let reference = named(&ids.implementations, Entity::Implementation, row, "reference", faults);
    let published = ranges::published(row, "speedup", "low", "high", faults)?;
    Some(RatioRecord {
        key: record_key(key?, ids),
        reference: reference?,
        speedup: published.figure,
        notes,
        span: row.span(published.column),
    })
}

fn retest(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<Retest> {
    let notes = notes(ids, row, faults);
    let covered = ids.coverage(row, faults);
    let implementation =
        named(&ids.implementations, Entity::Implementation, row, "implementation", faults);
    let batch = named(&ids.batches, Entity::Batch, row, "batch", faults);
    let (operator, shape) = covered?;
    let outcome = row.text("outcome")?;
    Some(Retest {
        operator,
        shape,
        implementation: implementation?,
        batch,
        standard: row.owned("standard"),
        outcome: RetestOutcome::ALL.into_iter().find(|known| known.as_str() == outcome)?,
        detail: row.owned("detail"),
        notes,
        span: row.span("outcome"),
    })
}

fn withdrawal(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<Withdrawal> {
    let covered = ids.coverage(row, faults);
    let implementation =
        named(&ids.implementations, Entity::Implementation, row, "implementation", faults);
    let batch = named(&ids.batches, Entity::Batch, row, "batch", faults);
    let (operator, shape) = covered?;
    Some(Withdrawal {
        operator,
        shape,
        implementation: implementation?,
        batch,
        withdrawn_on: row.date("withdrawn_on")?,
        reason: row.owned("reason")?,
        url: row.owned("url"),
        span: row.span("implementation"),
    })
}

fn trajectory(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<TrajectoryPoint> {
    let shape = ids.row_shape(row, faults);
    let implementation =
        named(&ids.implementations, Entity::Implementation, row, "implementation", faults);
    let (text, printed) = row.number("latency_us")?;
    Some(TrajectoryPoint {
        trajectory: TrajectoryId::parse(row.text("trajectory")?).ok()?,
        shape: ids.shapes.ids[shape?].clone(),
        implementation: implementation?,
        hours: row.float("hours"),
        latency: crate::model::Figure::from_printed(text, printed),
        kind: match row.text("kind")? {
            "start" => TrajectoryPointKind::Start,
            "best" => TrajectoryPointKind::Best,
            "attempt" => TrajectoryPointKind::Attempt,
            "reference" => TrajectoryPointKind::Reference,
            _ => TrajectoryPointKind::Final,
        },
        label: row.owned("label"),
        span: row.span("latency_us"),
    })
}

/// The files of a MacroEval study, if there are any.
fn macroeval(
    files: &Files,
    ids: &StudyIds,
    today: Option<NaiveDate>,
    list: &mut Vec<Diagnostic>,
) -> Option<MacroEval> {
    const KINDS: [FileKind; 5] = [
        FileKind::Families,
        FileKind::Items,
        FileKind::Runs,
        FileKind::Outcomes,
        FileKind::Distances,
    ];
    if !KINDS.iter().any(|&kind| files.has(kind)) {
        return None;
    }
    let families = rows(files, FileKind::Families, today, list, |row, faults| {
        let notes = notes(ids, row, faults);
        Some(Family {
            id: FamilyId::parse(row.text("id")?).ok()?,
            name: row.owned("name")?,
            failure_threshold: row.float("failure_threshold"),
            notes,
            span: row.span("id"),
        })
    });
    let items = rows(files, FileKind::Items, today, list, |row, faults| {
        let notes = notes(ids, row, faults);
        let family = named(&ids.families, Entity::Family, row, "family", faults);
        Some(Item {
            id: ItemId::parse(row.text("id")?).ok()?,
            name: row.owned("name")?,
            family: family?,
            noise_floor: row.float("noise_floor"),
            notes,
            span: row.span("id"),
        })
    });
    let runs = rows(files, FileKind::Runs, today, list, |row, faults| {
        let notes = notes(ids, row, faults);
        Some(Run {
            id: RunId::parse(row.text("id")?).ok()?,
            name: row.owned("name")?,
            agent: row.owned("agent")?,
            mode: row.owned("mode")?,
            model: row.owned("model"),
            notes,
            span: row.span("id"),
        })
    });
    let outcomes = rows(files, FileKind::Outcomes, today, list, |row, faults| {
        let notes = notes(ids, row, faults);
        let run = named(&ids.runs, Entity::Run, row, "run", faults);
        let item = named(&ids.items, Entity::Item, row, "item", faults);
        let (subset, outcome) = (row.text("subset")?, row.text("outcome")?);
        Some(Outcome {
            run: run?,
            item: item?,
            subset: Subset::ALL.into_iter().find(|known| known.as_str() == subset)?,
            outcome: OutcomeKind::ALL.into_iter().find(|known| known.as_str() == outcome)?,
            category: row.owned("category"),
            correctness: row.float("correctness"),
            throughput_speedup: row.float("throughput_speedup"),
            latency_speedup: row.float("latency_speedup"),
            distance: row.float("distance"),
            dropped: row.count("dropped"),
            notes,
            span: row.span("outcome"),
        })
    });
    let distances = rows(files, FileKind::Distances, today, list, |row, faults| {
        let run = named(&ids.runs, Entity::Run, row, "run", faults);
        let item = find_item(row, ids, faults);
        Some(Distance {
            run: run?,
            item: item?,
            request: row.owned("request")?,
            distance: row.float("distance")?,
            span: row.span("distance"),
        })
    });
    Some(MacroEval {
        families: by_id(families, |family| family.id.clone()),
        items: by_id(items, |item| item.id.clone()),
        runs: by_id(runs, |run| run.id.clone()),
        outcomes,
        distances,
    })
}

fn find_item(row: &Row, ids: &StudyIds, faults: &mut Faults) -> Option<ItemId> {
    find(&ids.items, Entity::Item, row.text("item")?, &row.range("item"), faults)
}

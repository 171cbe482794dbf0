//! Whole folders, from memory: which diagnostic each fault gives, and where.

use chrono::NaiveDate;
use proptest::prelude::*;

use super::{Input, load_files};
use crate::diagnostic::{Code, Diagnostic};

const LATENCIES: &str = "studies/s/latencies/a.csv";
const HEADER: &str = "operator,shape,implementation,batch,latency_us\n";

/// A small folder without faults.
const FOLDER: &[(&str, &str)] = &[
    ("site.toml", "title = \"Site\"\n"),
    ("gpus.csv", "id,name,memory_tb_s\nb200,NVIDIA B200,8\n"),
    ("pages/about.md", "+++\ntitle = \"About\"\n+++\nText\n"),
    ("news/first.md", "+++\ntitle = \"First\"\ndate = 2026-11-01\n+++\nText\n"),
    (
        "studies/s/study.toml",
        "title = \"Study\"\nheadline = \"main\"\n\n[[board]]\nid = \"main\"\ntitle = \"Main\"\n\
         kind = \"speedup\"\nclasses = [\"paired\"]\n[board.baseline]\nid = \"library\"\n\
         name = \"Library\"\nmembers = [\"lib\"]\n[[board.contender]]\nid = \"agent\"\n\
         name = \"Agent\"\nmembers = { attention = [\"mine\"] }\n[[board.effect]]\nid = \"gain\"\n\
         name = \"Gain\"\nnumerator = \"agent\"\ndenominator = \"library\"\n\n[[board]]\n\
         id = \"scores\"\ntitle = \"Scores\"\nkind = \"macroeval\"\n\n[[board]]\nid = \"printed\"\n\
         title = \"Printed\"\nkind = \"table\"\nfile = \"tables/t.csv\"\n\
         columns = [{ id = \"row\", title = \"Row\", type = \"text\" }, { id = \"n\", title = \"N\", type = \"number\" }]\n",
    ),
    ("studies/s/operators.csv", "id,name\nattention,Attention\nnorm,Norm\n"),
    (
        "studies/s/shapes.csv",
        "operator,id,name\nattention,mha,MHA\nattention,gqa,GQA\nnorm,wide,Wide\n",
    ),
    ("studies/s/implementations.csv", "id,name,role\nlib,Library,library\nmine,Mine,goal-only\n"),
    ("studies/s/batches.csv", "id,name,class,gpu,measured_on\none,One,paired,b200,2026-11-01\n"),
    (LATENCIES, "operator,shape,implementation,batch,latency_us\nattention,mha,lib,one,12.5\n"),
    ("studies/s/retests/a.csv", "operator,shape,implementation,batch,outcome\n,,mine,,pass\n"),
    ("studies/s/notes/timing.md", "+++\ntitle = \"Timing\"\nseverity = \"info\"\n+++\nText\n"),
    ("studies/s/tables/t.csv", "row,n\nfirst row,1\nsecond,2\nthird,3\n"),
    ("studies/s/families.csv", "id,name\nllm,LLMs\n"),
    ("studies/s/items.csv", "id,name,family\nllama,Llama,llm\n"),
    ("studies/s/runs.csv", "id,name,agent,mode\nkda-ind,KDA,KDA,independent\n"),
];

/// The folder with some files replaced or added.
fn load(changes: &[(&str, &[u8])]) -> Input {
    let unchanged = FOLDER.iter().filter(|(path, _)| !changes.iter().any(|(p, _)| p == path));
    let files = unchanged
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
        .chain(changes.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())))
        .collect();
    load_files(files, NaiveDate::from_ymd_opt(2026, 11, 30))
}

fn places(list: &[Diagnostic]) -> Vec<(Code, &str, u32, u32)> {
    list.iter()
        .map(|fault| {
            let span = fault.place.span();
            let (line, column) = span.map_or((0, 0), |span| (span.line, span.column));
            (fault.code, fault.place.file(), line, column)
        })
        .collect()
}

/// One file with these bytes gives exactly these diagnostics, at these lines and columns.
fn check_bytes(path: &str, bytes: &[u8], expected: &[(Code, u32, u32)]) {
    let input = load(&[(path, bytes)]);
    let expected: Vec<_> =
        expected.iter().map(|&(code, line, column)| (code, path, line, column)).collect();
    let shown = String::from_utf8_lossy(bytes);
    assert_eq!(places(&input.diagnostics), expected, "{shown:?}: {:#?}", input.diagnostics);
    let faulty = input.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(input.model.is_none(), faulty, "{shown:?}");
    for fault in &input.diagnostics {
        assert!(!fault.message.is_empty() && !fault.help.is_empty());
    }
}

fn check(path: &str, text: &str, expected: &[(Code, u32, u32)]) {
    check_bytes(path, text.as_bytes(), expected);
}

/// Rows below the header of a latency file give these diagnostics; the header is line 1.
fn check_rows(rows: &str, expected: &[(Code, u32, u32)]) {
    check(LATENCIES, &format!("{HEADER}{rows}"), expected);
}

#[test]
fn files_beyond_the_limits_of_the_site_are_faults() {
    for (limits, expected) in
        [("{ file_mb = 1, rows = 1 }", 0), ("{ rows = 0 }", 1), ("{ file_mb = 0.00001 }", 1)]
    {
        let site = format!("title = \"s\"\nlimits = {limits}\n");
        let input = load(&[("site.toml", site.as_bytes())]);
        let faults = places(&input.diagnostics);
        let of_latencies = faults.iter().filter(|(_, file, ..)| *file == LATENCIES);
        assert!(faults.iter().all(|(code, ..)| *code == Code::FileTooLarge), "{faults:?}");
        assert_eq!(of_latencies.count(), expected, "{limits}: {faults:?}");
    }
}

#[test]
fn the_small_folder_has_no_faults() {
    let input = load(&[]);
    assert_eq!(places(&input.diagnostics), []);
    let model = input.model.unwrap();
    let study = &model.studies["s"];
    assert_eq!(study.latencies.len(), 1);
    assert_eq!(&*study.latencies[0].latency.text, "12.5");
    assert_eq!((study.latencies[0].span.line, study.latencies[0].span.column), (2, 23));
    assert_eq!(study.boards.len(), 3);
    assert_eq!(model.files.len(), FOLDER.len());
}

#[test]
fn headers() {
    let check = |header: &str, expected: &[(Code, u32, u32)]| {
        check(LATENCIES, &format!("{header}\nattention,mha,lib,one,12.5\n"), expected);
    };
    check(
        "operator,shape,implementation,batch,latency",
        &[(Code::UnknownColumn, 1, 37), (Code::EmptyCell, 2, 1)],
    );
    check(
        "operator,shape,implementation,bach,latency_us",
        &[(Code::MissingColumn, 1, 1), (Code::UnknownColumn, 1, 31)],
    );
    check(
        "operator,shape,implementation,batch,shape",
        &[(Code::DuplicateColumn, 1, 37), (Code::EmptyCell, 2, 1)],
    );
    check(
        "operator,shape,implementation,batch,",
        &[(Code::UnknownColumn, 1, 37), (Code::EmptyCell, 2, 1)],
    );
    check(
        "operator,shape,implementation,batch, latency_us",
        &[(Code::UnknownColumn, 1, 37), (Code::EmptyCell, 2, 1)],
    );
    check("attention,mha,lib,one,13.5", &[(Code::MissingHeader, 1, 1)]);
    check("operator;shape;implementation;batch;latency_us", &[(Code::WrongDelimiter, 1, 9)]);
    check("operator\tshape\timplementation", &[(Code::WrongDelimiter, 1, 9)]);
    check("run,item,request,distance", &[(Code::WrongFolder, 1, 1)]);
}

#[test]
fn unknown_columns_are_suggested() {
    let text = format!("{}attention,mha,lib,one,12.5\n", HEADER.replace("_us", ""));
    let input = load(&[(LATENCIES, text.as_bytes())]);
    assert_eq!(input.diagnostics[0].help, "did you mean `latency_us`?");
}

#[test]
fn a_row_that_is_too_long_is_not_blamed_on_its_last_comma_alone() {
    // A decimal comma and a unit: without the last comma the latency would be 1.
    let header = HEADER.replace("_us", "_us,note");
    let text = format!("{header}attention,mha,lib,one,1,5us,\n");
    let input = load(&[(LATENCIES, text.as_bytes())]);
    let [fault] = &input.diagnostics[..] else { panic!("{:?}", input.diagnostics) };
    assert_eq!(fault.code, Code::RowTooLong);
    assert!(fault.help.contains("quotes") && fault.help.contains("a point"), "{}", fault.help);
    let text = format!("{HEADER}attention,mha,lib,one,1.5,,\n");
    let input = load(&[(LATENCIES, text.as_bytes())]);
    assert!(input.diagnostics[0].help.contains("commas at its end"), "{:?}", input.diagnostics);
}

#[test]
fn ragged_rows() {
    check_rows("attention,mha,lib,one\n", &[(Code::RowTooShort, 2, 1)]);
    check_rows("attention,mha,lib,one,1.5,,\n", &[(Code::RowTooLong, 2, 27)]);
    check_rows("attention,mha,lib,one,12,5\n", &[(Code::DecimalComma, 2, 23)]);
    check_rows("attention,mha,lib,one,1,234\n", &[(Code::ThousandsSeparator, 2, 23)]);
    check_rows("attention,mha,lib,one,1,234.5\n", &[(Code::ThousandsSeparator, 2, 23)]);
    check_rows("attention,mha,lib,one,1.5,\n", &[(Code::RowTooLong, 2, 27)]);
    check_rows(",,,,\n", &[(Code::EmptyRow, 2, 1)]);
    check_rows("# a comment\n", &[(Code::RowTooShort, 2, 1)]);
    // A row at fault hides nothing of those behind it.
    check_rows(
        "attention\nattention,mha,lib,one,0\n",
        &[(Code::RowTooShort, 2, 1), (Code::NotPositive, 3, 23)],
    );
}

#[test]
fn quotes() {
    check_rows(
        "attention,\"mha,lib,one,1.5\nattention,gqa,lib,one,0\n",
        &[(Code::UnclosedQuote, 2, 11), (Code::NotPositive, 3, 23)],
    );
    // The quote of a later row closes it by accident.
    check_rows(
        "attention,\"mha,lib,one,1.5\nattention,\"gqa\",lib,one,0\n",
        &[(Code::UnclosedQuote, 2, 11), (Code::NotPositive, 3, 25)],
    );
    check_rows(
        "attention,mha,lib,one,1.5\nattention,gqa,lib,one,\"2.5",
        &[(Code::UnclosedQuote, 3, 23)],
    );
    check_rows("attention,m\"ha,lib,one,1.5\n", &[(Code::StrayQuote, 2, 12)]);
    check_rows("attention,\"mha\"x,lib,one,1.5\n", &[(Code::StrayQuote, 2, 16)]);
    check_rows("attention,\"mha\n\",lib,one,1.5\n", &[(Code::NewlineInCell, 2, 15)]);
    check_rows("\"attention\",\"mha\",lib,one,\"1.5\"\n", &[]);
    let swallowed = format!("{HEADER}attention,\"mha,lib,one,1.5\nx\ny\n");
    let input = load(&[(LATENCIES, swallowed.as_bytes())]);
    assert!(input.diagnostics[0].message.contains("remaining 2 lines"), "{:?}", input.diagnostics);
}

#[test]
fn cells() {
    for (cell, code, offset) in [
        ("\"12,5\"", Code::DecimalComma, 1),
        ("\"1,234.5\"", Code::ThousandsSeparator, 1),
        ("1 234", Code::ThousandsSeparator, 0),
        ("0x1F", Code::HexNumber, 0),
        ("N/A", Code::Placeholder, 0),
        ("-", Code::Placeholder, 0),
        ("nan", Code::NotFinite, 0),
        ("inf", Code::NotFinite, 0),
        ("0", Code::NotPositive, 0),
        ("-3.5", Code::NotPositive, 0),
        ("", Code::EmptyCell, 0),
        ("12.5 ", Code::StrayBlank, 4),
        ("4-Mar", Code::SpreadsheetDate, 0),
        ("fast", Code::NotANumber, 0),
    ] {
        check_rows(&format!("attention,mha,lib,one,{cell}\n"), &[(code, 2, 23 + offset)]);
    }
    for (cell, code, offset) in [
        ("", Code::EmptyCell, 0),
        ("lib ", Code::StrayBlank, 3),
        ("lib\u{200b}", Code::ZeroWidthCharacter, 3),
        ("lib\u{a0}", Code::NonBreakingSpace, 3),
        ("l\u{456}b", Code::LookAlikeLetter, 1),
        ("li\u{301}b", Code::DecomposedLetter, 2),
        ("LIB", Code::UpperCaseId, 0),
        ("4-Mar", Code::SpreadsheetDate, 0),
        ("libb", Code::UnknownImplementation, 0),
    ] {
        check_rows(&format!("attention,mha,{cell},one,12.5\n"), &[(code, 2, 15 + offset)]);
    }
}

#[test]
fn a_look_alike_is_named_with_its_letter() {
    let text = format!("{HEADER}attention,mha,l\u{456}b,one,12.5\n");
    let input = load(&[(LATENCIES, text.as_bytes())]);
    let fault = &input.diagnostics[0];
    assert!(fault.message.contains("U+0456 CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I"));
    assert_eq!(fault.help, "write `lib`");
}

#[test]
fn several_faults_of_a_row_are_all_reported() {
    check_rows(
        "attentio,mha,lob,oen,nan\n",
        &[
            (Code::UnknownOperator, 2, 1),
            (Code::UnknownImplementation, 2, 14),
            (Code::UnknownBatch, 2, 18),
            (Code::NotFinite, 2, 22),
        ],
    );
}

#[test]
fn bytes() {
    check_bytes(
        LATENCIES,
        b"operator,shape,implementation,batch,latency_us,note\nattention,mha,lib,one,1.5,\n\
                             attention,gqa,lib,one,1.5,\xe9\n",
        &[(Code::NotUtf8, 3, 27), (Code::InvalidId, 3, 27)],
    );
    check_bytes(LATENCIES, b"\xff\xfeo\0p\0", &[(Code::Utf16, 1, 1)]);
    check_bytes(LATENCIES, b"o\0p\0e\0r\0a\0", &[(Code::Utf16, 1, 1)]);
    check_bytes(
        LATENCIES,
        b"operator,shape,implementation,batch,latency_us,model\nattention,mha,lib,one,1.5,\0\n",
        &[(Code::NulByte, 2, 27), (Code::ControlCharacter, 2, 27)],
    );
    check_bytes(
        LATENCIES,
        b"operator,shape,implementation,batch,latency_us\rattention\r",
        &[(Code::BareCarriageReturn, 1, 47)],
    );
    check(LATENCIES, "", &[(Code::EmptyFile, 0, 0)]);
    check(LATENCIES, "\u{feff}\n\n", &[(Code::EmptyFile, 0, 0)]);
    check(LATENCIES, HEADER, &[(Code::HeaderAlone, 1, 1)]);
}

#[test]
fn accepted_in_silence() {
    let row = "attention,mha,lib,one,12.5";
    for text in [
        format!("\u{feff}{HEADER}{row}\n"),
        format!("{}{row}\r\n", HEADER.replace('\n', "\r\n")),
        format!("{HEADER}{row}"),
        format!("\n\n{HEADER}\n{row}\n\r\n\n"),
        format!("{HEADER}attention,mha,lib,one,1.25E+01\n"),
        "latency_us,batch,implementation,shape,operator\n12.5,one,lib,mha,attention\n".to_owned(),
        format!("note,{HEADER}timing,{row}\n"),
        "operator,shape,implementation,batch,low_us,high_us\nattention,mha,lib,one,1.4,1.5\n"
            .to_owned(),
    ] {
        check(LATENCIES, &text, &[]);
    }
}

#[test]
fn places_are_right_after_everything_that_shifts_them() {
    let header = "operator,shape,implementation,batch,latency_us,model\n";
    let faulty = "attention,mha,lib,one,0,\n";
    for (before, line) in [
        ("", 2),
        ("\n\n", 4),
        ("attention,gqa,lib,one,1,\"two\nlines\"\n", 4),
        ("attention,gqa,lib,one,1,é×漢\n", 3),
        ("attention,gqa,lib,one,1,\"a \"\"quoted\"\" word\"\n", 3),
    ] {
        let text = format!("{header}{before}{faulty}");
        check(LATENCIES, &text, &[(Code::NotPositive, line, 23)]);
        check(LATENCIES, &text.replace('\n', "\r\n"), &[(Code::NotPositive, line, 23)]);
        check(LATENCIES, &format!("\u{feff}{text}"), &[(Code::NotPositive, line, 23)]);
    }
    // Columns count characters, not bytes.
    let text =
        "model,operator,shape,implementation,batch,latency_us\né漢,attention,mha,lib,one,0\n";
    check(LATENCIES, text, &[(Code::NotPositive, 2, 26)]);
}

#[test]
fn references() {
    for (row, code, column) in [
        ("attentio,mha,lib,one,1.5", Code::UnknownOperator, 1),
        ("attention,mah,lib,one,1.5", Code::UnknownShape, 11),
        ("norm,mha,lib,one,1.5", Code::ShapeOfAnotherOperator, 6),
        ("attention,mha,lib,on,1.5", Code::UnknownBatch, 19),
    ] {
        check_rows(&format!("{row}\n"), &[(code, 2, column)]);
    }
    let with_note = "operator,shape,implementation,batch,latency_us,note\n";
    let row = "attention,mha,lib,one,1.5,timing  timin\n";
    check(LATENCIES, &format!("{with_note}{row}"), &[(Code::UnknownNote, 2, 35)]);
    check(
        "studies/s/batches.csv",
        "id,name,class,gpu\none,One,paired,b20\n",
        &[(Code::UnknownGpu, 2, 16)],
    );
    check(
        "studies/s/items.csv",
        "id,name,family\nllama,Llama,lm\n",
        &[(Code::UnknownFamily, 2, 13)],
    );
}

#[test]
fn the_nearest_known_name_is_said() {
    let text = format!("{HEADER}attention,mah,lib,one,1.5\n");
    let input = load(&[(LATENCIES, text.as_bytes())]);
    assert_eq!(input.diagnostics[0].help, "did you mean `mha`?");
}

#[test]
fn a_faulty_description_does_not_make_its_name_unknown() {
    let text = "id,name,role\nlib,Library,librry\nmine,Mine,goal-only\n";
    check("studies/s/implementations.csv", text, &[(Code::UnknownWord, 2, 13)]);
    let text = "id,name,role\nlib,Library\nmine,Mine,goal-only\n";
    check("studies/s/implementations.csv", text, &[(Code::RowTooShort, 2, 1)]);
    let text = "id;name;role\nlib;Library;library\n";
    check("studies/s/implementations.csv", text, &[(Code::WrongDelimiter, 1, 3)]);
}

#[test]
fn duplicate_keys() {
    let row = "attention,mha,lib,one,12.5\n";
    check_rows(&format!("{row}{row}"), &[(Code::DuplicateRow, 3, 1)]);
    check_rows(&format!("{row}attention,mha,lib,one,13\n"), &[(Code::DuplicateKey, 3, 1)]);
    let other = "studies/s/latencies/b.csv";
    let text = format!("{HEADER}\nattention,mha,lib,one,13\n");
    let input = load(&[(other, text.as_bytes())]);
    assert_eq!(places(&input.diagnostics), [(Code::DuplicateKey, other, 3, 1)]);
    let fault = &input.diagnostics[0];
    assert_eq!(
        fault.message,
        "the key `attention,mha,lib,one` stands already in line 2 of studies/s/latencies/a.csv, \
         with other values: `latency_us` is `13` here and `12.5` there"
    );
    assert_eq!((&*fault.related[0].0.file, fault.related[0].0.line), (LATENCIES, 2));
    check(
        "studies/s/operators.csv",
        "id,name\nattention,Attention\nnorm,Norm\nnorm,Norm\n",
        &[(Code::DuplicateRow, 4, 1)],
    );
}

#[test]
fn ranges() {
    let header = "operator,shape,implementation,batch,latency_us,low_us,high_us\n";
    for (cells, expected) in [
        (",1.4,1.5", None),
        ("1.45,1.4,1.5", None),
        ("1.4,1.40,1.5", None),
        (",1.6,1.5", Some((Code::LowAboveHigh, 24))),
        ("1.7,1.4,1.5", Some((Code::OutsideRange, 23))),
        ("1.3,1.4,1.5", Some((Code::OutsideRange, 23))),
        ("1.45,1.4,", Some((Code::HalfRange, 28))),
        (",,1.5", Some((Code::HalfRange, 25))),
        (",,", Some((Code::EmptyCell, 23))),
    ] {
        let expected: Vec<_> =
            expected.into_iter().map(|(code, column)| (code, 2, column)).collect();
        check(LATENCIES, &format!("{header}attention,mha,lib,one,{cells}\n"), &expected);
    }
}

#[test]
fn a_range_alone_is_its_geometric_mean() {
    let text = "operator,shape,implementation,batch,low_us,high_us\nattention,mha,lib,one,1,4\n";
    let model = load(&[(LATENCIES, text.as_bytes())]).model.unwrap();
    let record = &model.studies["s"].latencies[0];
    assert_eq!((record.latency.low, record.latency.value, record.latency.high), (1.0, 2.0, 4.0));
    assert_eq!(record.span.column, 23);
}

#[test]
fn samples_and_latencies_agree() {
    let path = "studies/s/samples/a.csv";
    let samples = |values: [&str; 4]| {
        let rows: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(call, value)| format!("attention,mha,lib,one,{},{call},{value}\n", call / 2))
            .collect();
        format!("operator,shape,implementation,batch,round,call,latency_us\n{}", rows.concat())
    };
    let check = |values: [&str; 4], expected: &[(Code, &str, u32, u32)]| {
        let input = load(&[(path, samples(values).as_bytes())]);
        assert_eq!(places(&input.diagnostics), expected, "{values:?}");
        input
    };
    // The latency is 12.5, which stands for 12.45 to 12.55, ends included.
    let input = check(["12.4", "12.5", "12.5", "99"], &[]);
    let study = &input.model.unwrap().studies["s"];
    assert_eq!((study.samples[0].count, study.samples[0].rounds.len()), (4, 2));
    check(["12.4", "12.5", "12.6", "12.6"], &[]);
    check(["12.4", "12.44", "12.46", "12.6"], &[]);
    check(["12.4", "12.4", "12.5", "12.6"], &[]);
    let input =
        check(["12.4", "12.4", "12.49", "12.6"], &[(Code::SamplesDisagree, LATENCIES, 2, 23)]);
    assert!(input.diagnostics[0].message.contains("12.445"), "{:?}", input.diagnostics);
    assert_eq!(&*input.diagnostics[0].related[0].0.file, path);
}

#[test]
fn dates_links_and_formulas() {
    let batches = |date: &str| format!("id,name,class,measured_on\none,One,paired,{date}\n");
    check("studies/s/batches.csv", &batches("2026-12-01"), &[(Code::DateInFuture, 2, 16)]);
    check("studies/s/batches.csv", &batches("27/10/2026"), &[(Code::InvalidDate, 2, 16)]);
    let implementations =
        |cell: &str| format!("id,name,role,url\nlib,L,library,{cell}\nmine,M,goal-only,\n");
    let path = "studies/s/implementations.csv";
    check(path, &implementations("javascript:alert(1)"), &[(Code::InvalidLink, 2, 15)]);
    check(path, &implementations("https://example.org/x"), &[]);
    for text in ["=1+2", "+x", "-x", "@x"] {
        let table = format!("id,name,role\nlib,{text},library\nmine,M,goal-only\n");
        check(path, &table, &[(Code::FormulaCell, 2, 5)]);
        check(
            "studies/s/tables/t.csv",
            &format!("row,n\n{text},1\n"),
            &[(Code::FormulaCell, 2, 1)],
        );
    }
    check("studies/s/tables/t.csv", "row,n\nx,-1.5\n", &[]);
    check(
        "news/first.md",
        "+++\ntitle = \"T\"\ndate = 2027-01-01\n+++\n",
        &[(Code::DateInFuture, 3, 8)],
    );
}

#[test]
fn ids_that_are_taken_by_the_site() {
    check(
        "studies/s/operators.csv",
        "id,name\nattention,A\nnorm,N\naudit,X\n",
        &[(Code::ReservedId, 4, 1)],
    );
    let input = load(&[("studies/api/study.toml", b"title = \"T\"\n")]);
    assert_eq!(places(&input.diagnostics), [(Code::ReservedId, "studies/api/study.toml", 0, 0)]);
    let input = load(&[("studies/My Study/study.toml", b"title = \"T\"\n")]);
    assert_eq!(
        places(&input.diagnostics),
        [(Code::InvalidFileName, "studies/My Study/study.toml", 0, 0)]
    );
}

#[test]
fn files_out_of_place() {
    let check = |path: &str, text: &str, code: Code, line: u32, help: &str| {
        let input = load(&[(path, text.as_bytes())]);
        let column = line.min(1);
        assert_eq!(places(&input.diagnostics), [(code, path, line, column)]);
        assert!(input.diagnostics[0].help.contains(help), "{:?}", input.diagnostics[0]);
    };
    let table = format!("{HEADER}attention,gqa,lib,one,12.5\n");
    check(
        "studies/s/latencies.csv",
        &table,
        Code::WrongFolder,
        0,
        "studies/s/latencies/latencies.csv",
    );
    check("studies/s/retests/b.csv", &table, Code::WrongFolder, 1, "studies/s/latencies/b.csv");
    check("latencies/b.csv", &table, Code::WrongFolder, 0, "studies/<study>/latencies/b.csv");
    check("studies/s/gpus.csv", "id,x\n", Code::WrongFolder, 0, "gpus.csv");
    check("studies/s/operator.csv", "x\n", Code::UnexpectedFile, 0, "studies/s/operators.csv");
    check("studies/s/results.xlsx", "x", Code::UnexpectedFile, 0, "CSV UTF-8");
    check("README.md", "x", Code::UnexpectedFile, 0, "remove it");
    check("studies/s/latencies/B.CSV", &table, Code::WrongFolder, 0, "studies/s/latencies/B.csv");
    let input = load(&[("studies/t/operators.csv", b"id,name\nx,X\n")]);
    assert_eq!(places(&input.diagnostics), [(Code::MissingFile, "studies/t/study.toml", 0, 0)]);
    let input = load_files(Vec::new(), None);
    assert_eq!(places(&input.diagnostics), [(Code::MissingFile, "site.toml", 0, 0)]);
}

/// `study.toml` with one run of text replaced gives these diagnostics; the column is that of the
/// text put in, with an offset.
fn check_study(from: &str, to: &str, expected: &[(Code, i32)]) {
    let path = "studies/s/study.toml";
    let original = FOLDER.iter().find(|file| file.0 == path).unwrap().1;
    assert_eq!(original.matches(from).count(), 1, "{from}");
    let text = original.replace(from, to);
    let input = load(&[(path, text.as_bytes())]);
    let start = original.find(from).unwrap();
    let line = i32::try_from(original[..start].matches('\n').count()).unwrap() + 1;
    let found: Vec<_> = input
        .diagnostics
        .iter()
        .map(|fault| {
            let span = fault.place.span().unwrap();
            (fault.code, i32::try_from(span.line).unwrap() - line)
        })
        .collect();
    assert_eq!(found, expected, "{to}: {:#?}", input.diagnostics);
}

#[test]
fn boards() {
    check_study("headline = \"main\"", "headline = \"mian\"", &[(Code::UnknownBoard, 0)]);
    check_study("\"paired\"", "\"pared\"", &[(Code::UnknownClass, 0)]);
    check_study("[\"lib\"]", "[\"lbi\"]", &[(Code::UnknownImplementation, 0)]);
    check_study("attention = ", "atention = ", &[(Code::UnknownOperator, 0)]);
    check_study("numerator = \"agent\"", "numerator = \"agents\"", &[(Code::UnknownContender, 0)]);
    check_study(
        "id = \"agent\"",
        "id = \"library\"",
        &[(Code::DuplicateId, 0), (Code::UnknownContender, 6)],
    );
    check_study("id = \"scores\"", "id = \"main\"", &[(Code::DuplicateId, 0)]);
    check_study("id = \"scores\"", "id = \"audit\"", &[(Code::ReservedId, 0)]);
    check_study("tables/t.csv", "tables/s.csv", &[(Code::UnknownTable, 0)]);
    check_study("{ id = \"n\"", "{ id = \"m\"", &[(Code::UnknownTableColumn, 0)]);
    check_study(
        "classes = [\"paired\"]",
        "classes = [\"paired\"]\noperators = [\"nrm\"]\nshapes = [\"norm/mha\", \"wide\"]",
        &[(Code::UnknownOperator, 1), (Code::ShapeOfAnotherOperator, 2), (Code::AmbiguousShape, 2)],
    );
    check_study(
        "title = \"Study\"",
        "title = \"Study\"\ntie_band = -0.5",
        &[(Code::InvalidSetting, 1)],
    );
}

#[test]
fn filters_keep_the_order_of_the_shapes() {
    let path = "studies/s/study.toml";
    let text = FOLDER.iter().find(|file| file.0 == path).unwrap().1.replace(
        "classes = [\"paired\"]",
        "classes = [\"paired\"]\nshapes = [\"norm/wide\", \"attention/mha\"]",
    );
    let model = load(&[(path, text.as_bytes())]).model.unwrap();
    let crate::model::BoardKind::Speedup(board) = &model.studies["s"].boards["main"].kind else {
        panic!("another kind");
    };
    let shapes: Vec<String> = board.shapes.iter().map(ToString::to_string).collect();
    assert_eq!(shapes, ["attention/mha", "norm/wide"]);
}

#[test]
fn claims() {
    let check = |row: &str, expected: &[(Code, u32)]| {
        let header = "board,contender,against,operator,shape,statistic,value,id\n";
        let expected: Vec<_> = expected.iter().map(|&(code, column)| (code, 2, column)).collect();
        check("studies/s/claims.csv", &format!("{header}{row},1.5,x\n"), &expected);
    };
    check("main,agent,,attention,,geomean", &[]);
    check("main,agent,library,attention,mha gqa,geomean", &[]);
    check("main,agent,main/library,attention norm,attention/mha norm/wide,geomean", &[]);
    check("main,,,,,effect:gain", &[]);
    check("mian,agent,,,,geomean", &[(Code::UnknownBoard, 1)]);
    check("main,agnet,,,,geomean", &[(Code::UnknownContender, 6)]);
    check("main,agent,main/libary,,,geomean", &[(Code::UnknownContender, 17)]);
    check("main,agent,man/library,,,geomean", &[(Code::UnknownBoard, 12)]);
    check("main,agent,,attention nrm,,geomean", &[(Code::UnknownOperator, 23)]);
    check("main,agent,,,mha,geomean", &[(Code::AmbiguousShape, 14)]);
    check("main,agent,,norm,mha,geomean", &[(Code::ShapeOfAnotherOperator, 18)]);
    check("main,,,,,effect:gains", &[(Code::UnknownEffect, 17)]);
    check("main,agent,,,,geomaen", &[(Code::UnknownWord, 15)]);
    check("scores,kda-ind/deployable,,llm,llama,score", &[]);
    check("scores,kda,,,,score", &[(Code::UnknownRun, 8)]);
    check("scores,kda-ind/deployabel,,,,score", &[(Code::UnknownWord, 16)]);
    check("scores,kda-ind,,llms,lama,score", &[(Code::UnknownFamily, 17), (Code::UnknownItem, 22)]);
    check("printed,n,,,first row,cell", &[]);
    check("printed,n,,,second third,sum", &[]);
    check("printed,m,,,second,cell", &[(Code::UnknownTableColumn, 9)]);
    check("printed,n,,,fourth,cell", &[(Code::UnknownTableRow, 13)]);
    check("printed,n,,,second fourth,sum", &[(Code::UnknownTableRow, 20)]);
}

#[test]
fn notes_apply_to_what_exists() {
    let check = |target: &str, expected: Option<(Code, u32)>| {
        let text =
            format!("+++\ntitle = \"T\"\nseverity = \"info\"\napplies_to = [\"{target}\"]\n+++\n");
        let expected: Vec<_> =
            expected.into_iter().map(|(code, column)| (code, 4, column)).collect();
        check("studies/s/notes/timing.md", &text, &expected);
    };
    for target in [
        "study",
        "board:main",
        "operator:norm",
        "shape:attention/mha",
        "implementation:lib",
        "batch:one",
        "record:attention/mha/lib",
        "record:attention/mha/lib/one",
        "run:kda-ind",
        "run:kda-ind/llama",
    ] {
        check(target, None);
    }
    check("bord:main", Some((Code::UnknownTarget, 16)));
    check("shape:mha", Some((Code::UnknownTarget, 16)));
    check("board:mian", Some((Code::UnknownBoard, 22)));
    check("shape:attention/mah", Some((Code::UnknownShape, 32)));
    check("record:attention/mha/lib/on", Some((Code::UnknownBatch, 41)));
    check("run:kda-ind/lama", Some((Code::UnknownItem, 28)));
}

#[test]
fn retests_cover_what_is_left_out() {
    let check = |row: &str, expected: &[(Code, u32)]| {
        let header = "operator,shape,implementation,batch,outcome\n";
        let expected: Vec<_> = expected.iter().map(|&(code, column)| (code, 2, column)).collect();
        check("studies/s/retests/a.csv", &format!("{header}{row}\n"), &expected);
    };
    check(",wide,lib,,pass", &[]);
    check("attention,,lib,one,not-judged", &[]);
    check(",wied,lib,,pass", &[(Code::UnknownShape, 2)]);
    check("norm,mha,lib,,pass", &[(Code::ShapeOfAnotherOperator, 6)]);
    check(",,lib,,passed", &[(Code::UnknownWord, 8)]);
    let shapes = "operator,id,name\nattention,mha,M\nattention,gqa,G\nnorm,wide,W\nnorm,mha,M\n";
    let retest = "operator,shape,implementation,outcome\n,mha,lib,pass\n";
    let input = load(&[
        ("studies/s/shapes.csv", shapes.as_bytes()),
        ("studies/s/retests/a.csv", retest.as_bytes()),
    ]);
    assert_eq!(
        places(&input.diagnostics),
        [(Code::AmbiguousShape, "studies/s/retests/a.csv", 2, 2)]
    );
}

#[test]
fn on_disk() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in FOLDER {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::write(folder.path().join(".DS_Store"), "x").unwrap();
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    std::fs::write(folder.path().join(".git/config"), "x").unwrap();
    let input = super::load(folder.path(), None).unwrap();
    assert_eq!(places(&input.diagnostics), []);
    assert!(input.model.is_some());
    assert!(super::load(&folder.path().join("missing"), None).is_err());
}

#[cfg(unix)]
#[test]
fn links_that_leave_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("x.csv"), HEADER).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("site.toml"), "title = \"T\"\n").unwrap();
    std::fs::write(folder.path().join(".about.md"), "+++\ntitle = \"T\"\n+++\n").unwrap();
    let pages = folder.path().join("pages");
    std::fs::create_dir(&pages).unwrap();
    symlink("../.about.md", pages.join("about.md")).unwrap();
    symlink(outside.path().join("x.csv"), pages.join("b.md")).unwrap();
    symlink(outside.path(), pages.join("c")).unwrap();
    symlink("nowhere", pages.join("d.md")).unwrap();
    symlink(&pages, folder.path().join("e")).unwrap();
    let input = super::load(folder.path(), None).unwrap();
    assert_eq!(
        places(&input.diagnostics),
        [
            (Code::LinkNotFollowed, "e", 0, 0),
            (Code::LinkNotFollowed, "pages/b.md", 0, 0),
            (Code::LinkNotFollowed, "pages/c", 0, 0),
            (Code::BrokenLink, "pages/d.md", 0, 0),
        ]
    );
    assert!(input.sources.get("pages/about.md").is_some());
}

proptest! {
    /// Whatever a file holds, nothing panics, and every diagnostic points into the file.
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for path in [LATENCIES, "studies/s/study.toml", "studies/s/notes/timing.md", "studies/s/tables/t.csv"] {
            points_into_its_file(&load(&[(path, &bytes)]));
        }
    }

    /// The same for text that is nearly a table.
    #[test]
    fn any_table_is_survived(rows in "([a-z\",;\n\r é\u{feff}0-9.=-]|attention,|mha,|lib,|one,|1.5\n){0,40}") {
        points_into_its_file(&load(&[(LATENCIES, format!("{HEADER}{rows}").as_bytes())]));
    }

    /// The same for text that is nearly settings.
    #[test]
    fn any_settings_are_survived(rows in "(title|board|kind|members|=|\\[\\[board\\]\\]|\\[|\\]|\\{|\\}|\"speedup\"|\"é\"|\"|,|1|-|\n| ){0,40}") {
        points_into_its_file(&load(&[("studies/s/study.toml", rows.as_bytes())]));
    }
}

fn points_into_its_file(input: &Input) {
    for fault in &input.diagnostics {
        let spans =
            fault.place.span().into_iter().chain(fault.related.iter().map(|(span, _)| span));
        for span in spans {
            let source = input.sources.get(&span.file).unwrap();
            // Slicing panics off a character's boundary.
            let _ = source.slice(span);
            assert!(span.end_column >= span.column && span.line >= 1);
        }
    }
    assert_eq!(input.model.is_none(), input.diagnostics.iter().any(Diagnostic::is_error));
}

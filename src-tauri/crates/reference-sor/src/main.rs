//! `reference-sor`: the SoR as a program. Its addresses go to stdout, one JSON document per line; talk goes to stderr.

use std::error::Error;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use holdfast_core::ramp::Order;
use reference_sor::{Api, City, Database, EnrolmentRule, Provenance, Running, Settings, serve};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tracing::error;
use tracing_subscriber::EnvFilter;

/// The system-of-record that demo, drills and tests run against.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Where stations are answered (loopback; port 0 takes a free one).
    #[arg(long, value_name = "ADDR")]
    listen: SocketAddr,
    /// Where the records are kept: sqlite:FILE.
    #[arg(long, value_name = "URL")]
    db: Database,
    /// What kind of SoR it is.
    #[arg(long, value_enum, default_value_t = Profile::Idempotent)]
    profile: Profile,
    /// Only the board: health, enrolment and what stations tell of themselves.
    #[arg(long, conflicts_with_all = ["profile", "restored"])]
    board_only: bool,
    /// Only the city's parcels: health and what lies where.
    #[arg(long, conflicts_with_all = ["profile", "restored", "board_only"])]
    gis_only: bool,
    /// Where drills are answered; with it every station may enrol.
    #[arg(long, value_name = "ADDR")]
    drill_listen: Option<SocketAddr>,
    /// Plant the made-up city of Alder Falls; with it every station may enrol.
    #[arg(long)]
    demo_data: bool,
    /// The database is an older copy that was put back: the epoch goes up by one.
    #[arg(long)]
    restored: bool,
    /// One-time codes for enrolment, one per line.
    #[arg(long, value_name = "FILE")]
    enrol_codes_file: Option<PathBuf>,
    /// Whether it keeps the order in which operations of several applications come, or orders by their acceptance itself.
    #[arg(long, value_enum, default_value_t = OrderSaid::OfArrival)]
    order: OrderSaid,
    /// How long a session holds, in hours.
    #[arg(long, value_name = "H", default_value_t = 12)]
    session_h: u32,
    /// How long after its end a session still proves work accepted offline, in hours.
    #[arg(long, value_name = "H", default_value_t = 72)]
    offline_grace_h: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum Profile {
    Idempotent,
    Legacy,
}

#[derive(Clone, Copy, ValueEnum)]
enum OrderSaid {
    OfArrival,
    AcceptedAt,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            error!("{}", with_causes(fault.as_ref()));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let settings = settings(arguments)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let (mut interrupt, mut terminate) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let running = serve(settings).await?;
        announce(&running)?;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        running.stop().await;
        Ok(())
    })
}

fn settings(arguments: Arguments) -> Result<Settings, Box<dyn Error>> {
    let everybody = arguments.demo_data || arguments.drill_listen.is_some();
    let enrolment =
        if everybody { EnrolmentRule::Open } else { EnrolmentRule::ByCode(arguments.enrol_codes_file) };
    Ok(Settings {
        listen: arguments.listen,
        drill_listen: arguments.drill_listen,
        database: arguments.db,
        enrolment,
        city: if arguments.demo_data && !arguments.board_only { City::AlderFalls } else { City::Empty },
        records: if arguments.restored { Provenance::Backup } else { Provenance::Own },
        api: match arguments.profile {
            _ if arguments.board_only => Api::Board,
            _ if arguments.gis_only => Api::Gis,
            Profile::Idempotent => Api::Operations,
            Profile::Legacy => Api::Records,
        },
        order: match arguments.order {
            OrderSaid::OfArrival => Order::OfArrival,
            OrderSaid::AcceptedAt => Order::AcceptedAt,
        },
        session_h: arguments.session_h,
        offline_grace_h: arguments.offline_grace_h,
    })
}

/// The first line is the SoR's address; the second one, if any, the drill's.
fn announce(running: &Running) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", json!({"listening": running.url}))?;
    if let Some(url) = &running.drill_url {
        writeln!(out, "{}", json!({"drill_listening": url}))?;
    }
    out.flush()
}

fn with_causes(fault: &dyn Error) -> String {
    let mut text = fault.to_string();
    let mut next = fault.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}

//! The command `ferrite`; see the library.

fn main() -> std::process::ExitCode {
    ferrite_cli::main()
}

//! The server.
pub async fn answer(q: &str) -> anyhow::Result<String> {
    tracing::info!(q, "answering");
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    if q.is_empty() { anyhow::bail!("empty question"); }
    Ok(q.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[tokio::test]
    async fn answers() {
        let _ = tracing_subscriber::fmt().with_test_writer().try_init();
        tracing::error!("ERROR: this log line is fine: thread 'x' panicked");
        assert_eq!(answer("a").await.unwrap(), "B");
    }
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn errs() -> anyhow::Result<()> {
        answer("").await?;
        Ok(())
    }
    #[tokio::test]
    async fn task_panics() {
        tokio::spawn(async { panic!("in a task") }).await.unwrap();
    }
    #[tokio::test]
    async fn is_fine() { answer("x").await.unwrap(); }
}

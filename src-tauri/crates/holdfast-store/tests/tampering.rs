//! One event of the audit chain changed through the key is named.

//! The structures of the header, field by field.

use super::layout::{ArgumentError, Word, structures};

structures! {
    /// What a context asks of the device.
    QosInfo "amdxdna_qos_info": 24 {
        /// Giga operations per second.
        0 gops: u32;
        /// Frames per second.
        4 fps: u32;
        /// Bandwidth to memory.
        8 dma_bandwidth: u32;
        /// Latency.
        12 latency: u32;
        /// Time of a frame.
        16 frame_exec_time: u32;
        /// Priority.
        20 priority: u32;
    }
    /// Makes a context.
    CreateHwctx "amdxdna_drm_create_hwctx": 56 {
        /// Extension, 0.
        0 ext: u64;
        /// Flags of the extension, 0.
        8 ext_flags: u64;
        /// Pointer to a [`QosInfo`].
        16 qos_p: u64;
        /// Buffer of a user-mode queue.
        24 umq_bo: u32;
        /// Buffer for a log.
        28 log_buf_bo: u32;
        /// Operations per cycle.
        32 max_opc: u32;
        /// Tiles wanted.
        36 num_tiles: u32;
        /// Memory wanted.
        40 mem_size: u32;
        /// Doorbell of a user-mode queue; the answer.
        44 umq_doorbell: u32;
        /// The context; the answer.
        48 handle: u32;
        /// Its synchronisation object; the answer.
        52 syncobj_handle: u32;
    }
    /// Releases a context.
    DestroyHwctx "amdxdna_drm_destroy_hwctx": 8 {
        /// The context.
        0 handle: u32;
        /// Zero.
        4 pad: u32;
    }
    /// The configuration of one compute unit.
    CuConfig "amdxdna_cu_config": 8 {
        /// Buffer with the PDI.
        0 cu_bo: u32;
        /// Function: the kernel id's low byte.
        4 cu_func: u8;
        /// Zero.
        5 pad: [u8; 3];
    }
    /// Head of a list of [`CuConfig`].
    ConfigCuHeader "amdxdna_hwctx_param_config_cu": 8 {
        /// Number of compute units.
        0 num_cus: u16;
        /// Zero.
        2 pad: [u16; 3];
    }
    /// Configures a context.
    ConfigHwctx "amdxdna_drm_config_hwctx": 24 {
        /// The context.
        0 handle: u32;
        /// One of [`config_kind`](super::config_kind).
        4 param_type: u32;
        /// Pointer to the parameter, or the parameter.
        8 param_val: u64;
        /// Bytes of the parameter.
        16 param_val_size: u32;
        /// Zero.
        20 pad: u32;
    }
    /// Makes a buffer.
    CreateBo "amdxdna_drm_create_bo": 32 {
        /// Flags, 0.
        0 flags: u64;
        /// Address of memory to use, or of a table of it.
        8 vaddr: u64;
        /// Bytes.
        16 size: u64;
        /// One of [`bo_kind`](super::bo_kind).
        24 kind: u32;
        /// The buffer; the answer.
        28 handle: u32;
    }
    /// Where a buffer is.
    GetBoInfo "amdxdna_drm_get_bo_info": 48 {
        /// Extension, 0.
        0 ext: u64;
        /// Flags of the extension, 0.
        8 ext_flags: u64;
        /// The buffer.
        16 handle: u32;
        /// Zero.
        20 pad: u32;
        /// Offset by which `mmap` reaches it; the answer.
        24 map_offset: u64;
        /// Its address in the process, if it has one; the answer.
        32 vaddr: u64;
        /// Its address for the device; the answer.
        40 xdna_addr: u64;
    }
    /// Makes the two views of a buffer agree.
    SyncBo "amdxdna_drm_sync_bo": 24 {
        /// The buffer.
        0 handle: u32;
        /// One of [`sync_direction`](super::sync_direction).
        4 direction: u32;
        /// First byte.
        8 offset: u64;
        /// Bytes.
        16 size: u64;
    }
    /// Runs commands.
    ExecCmd "amdxdna_drm_exec_cmd": 56 {
        /// Extension, 0.
        0 ext: u64;
        /// Flags of the extension, 0.
        8 ext_flags: u64;
        /// The context.
        16 hwctx: u32;
        /// Kind of command, 0 for buffers.
        20 kind: u32;
        /// The command buffer, or a pointer to several.
        24 cmd_handles: u64;
        /// Pointer to the buffers that they use.
        32 args: u64;
        /// Command buffers.
        40 cmd_count: u32;
        /// Buffers that they use.
        44 arg_count: u32;
        /// Sequence number; the answer.
        48 seq: u64;
    }
    /// Waits for a command.
    WaitCmd "amdxdna_drm_wait_cmd": 16 {
        /// The context.
        0 hwctx: u32;
        /// Milliseconds, 0 for ever.
        4 timeout: u32;
        /// Sequence number.
        8 seq: u64;
    }
    /// State of the array.
    QueryAieStatus "amdxdna_drm_query_aie_status": 16 {
        /// Pointer to where it goes.
        0 buffer: u64;
        /// Bytes there.
        8 buffer_size: u32;
        /// Columns in it; the answer.
        12 cols_filled: u32;
    }
    /// Version of the array.
    QueryAieVersion "amdxdna_drm_query_aie_version": 8 {
        /// Major.
        0 major: u32;
        /// Minor.
        4 minor: u32;
    }
    /// About one kind of tile.
    QueryAieTileMetadata "amdxdna_drm_query_aie_tile_metadata": 16 {
        /// Rows.
        0 row_count: u16;
        /// First row.
        2 row_start: u16;
        /// DMA channels.
        4 dma_channel_count: u16;
        /// Locks.
        6 lock_count: u16;
        /// Event registers.
        8 event_reg_count: u16;
        /// Zero.
        10 pad: [u16; 3];
    }
    /// About the array.
    QueryAieMetadata "amdxdna_drm_query_aie_metadata": 64 {
        /// Bytes of a column.
        0 col_size: u32;
        /// Columns.
        4 cols: u16;
        /// Rows.
        6 rows: u16;
        /// Version.
        8 version: QueryAieVersion;
        /// Core tiles.
        16 core: QueryAieTileMetadata;
        /// Memory tiles.
        32 mem: QueryAieTileMetadata;
        /// Shim tiles.
        48 shim: QueryAieTileMetadata;
    }
    /// A clock.
    QueryClock "amdxdna_drm_query_clock": 24 {
        /// Name, zero padded.
        0 name: [u8; 16];
        /// Megahertz.
        16 freq_mhz: u32;
        /// Zero.
        20 pad: u32;
    }
    /// The clocks.
    QueryClockMetadata "amdxdna_drm_query_clock_metadata": 48 {
        /// Clock of the microprocessor.
        0 mp_npu_clock: QueryClock;
        /// Clock of the array.
        24 h_clock: QueryClock;
    }
    /// A sensor.
    QuerySensor "amdxdna_drm_query_sensor": 168 {
        /// Name, zero padded.
        0 label: [u8; 64];
        /// Reading.
        64 input: u32;
        /// Largest reading.
        68 max: u32;
        /// Average.
        72 average: u32;
        /// Highest.
        76 highest: u32;
        /// Status, zero padded.
        80 status: [u8; 64];
        /// Units, zero padded.
        144 units: [u8; 16];
        /// Power of ten of the units.
        160 unitm: i8;
        /// Kind.
        161 kind: u8;
        /// Zero.
        162 pad: [u8; 6];
    }
    /// A context, short form.
    QueryHwctx "amdxdna_drm_query_hwctx": 64 {
        /// Number of the context.
        0 context_id: u32;
        /// First column.
        4 start_col: u32;
        /// Columns.
        8 num_col: u32;
        /// Zero.
        12 pad: u32;
        /// Process.
        16 pid: i64;
        /// Commands submitted.
        24 command_submissions: u64;
        /// Commands completed.
        32 command_completions: u64;
        /// Migrations.
        40 migrations: u64;
        /// Preemptions.
        48 preemptions: u64;
        /// Errors.
        56 errors: u64;
    }
    /// Power mode.
    GetPowerMode "amdxdna_drm_get_power_mode": 8 {
        /// The mode.
        0 power_mode: u8;
        /// Zero.
        1 pad: [u8; 7];
    }
    /// Version of the firmware.
    QueryFirmwareVersion "amdxdna_drm_query_firmware_version": 16 {
        /// Major.
        0 major: u32;
        /// Minor.
        4 minor: u32;
        /// Patch.
        8 patch: u32;
        /// Build.
        12 build: u32;
    }
    /// What the device offers and has left.
    GetResourceInfo "amdxdna_drm_get_resource_info": 40 {
        /// Highest clock.
        0 npu_clk_max: u64;
        /// Highest throughput.
        8 npu_tops_max: u64;
        /// Most tasks.
        16 npu_task_max: u64;
        /// Throughput now.
        24 npu_tops_curr: u64;
        /// Tasks now.
        32 npu_task_curr: u64;
    }
    /// A switch.
    AttributeState "amdxdna_drm_attribute_state": 8 {
        /// On or off.
        0 state: u8;
        /// Zero.
        1 pad: [u8; 7];
    }
    /// Head of telemetry.
    QueryTelemetryHeader "amdxdna_drm_query_telemetry_header": 16 {
        /// Major version.
        0 major: u32;
        /// Minor version.
        4 minor: u32;
        /// Kind.
        8 kind: u32;
        /// Words of the map that follows.
        12 map_num_elements: u32;
    }
    /// Asks about the device.
    GetInfo "amdxdna_drm_get_info": 16 {
        /// What about.
        0 param: u32;
        /// Bytes of the answer.
        4 buffer_size: u32;
        /// Pointer to where it goes.
        8 buffer: u64;
    }
    /// A context, long form.
    HwctxEntry "amdxdna_drm_hwctx_entry": 160 {
        /// Number of the context.
        0 context_id: u32;
        /// First column.
        4 start_col: u32;
        /// Columns.
        8 num_col: u32;
        /// Handle of the context.
        12 hwctx_id: u32;
        /// Process.
        16 pid: i64;
        /// Commands submitted.
        24 command_submissions: u64;
        /// Commands completed.
        32 command_completions: u64;
        /// Migrations.
        40 migrations: u64;
        /// Preemptions.
        48 preemptions: u64;
        /// Errors.
        56 errors: u64;
        /// Priority.
        64 priority: u64;
        /// Bytes of the heap in use.
        72 heap_usage: u64;
        /// Suspensions.
        80 suspensions: u64;
        /// State.
        88 state: u32;
        /// Address space.
        92 pasid: u32;
        /// Giga operations per second.
        96 gops: u32;
        /// Frames per second.
        100 fps: u32;
        /// Bandwidth to memory.
        104 dma_bandwidth: u32;
        /// Latency.
        108 latency: u32;
        /// Time of a frame.
        112 frame_exec_time: u32;
        /// The operation of the instruction stream where it failed.
        116 txn_op_idx: u32;
        /// Program counter of the context.
        120 ctx_pc: u32;
        /// Kind of a fatal error.
        124 fatal_error_type: u32;
        /// Kind of its exception.
        128 fatal_error_exception_type: u32;
        /// Program counter of its exception.
        132 fatal_error_exception_pc: u32;
        /// Module of the firmware that it happened in.
        136 fatal_error_app_module: u32;
        /// Zero.
        140 pad: u32;
        /// Name, zero padded.
        144 name: [u8; 16];
    }
    /// An error that came without a command.
    AsyncError "amdxdna_async_error": 24 {
        /// Code.
        0 err_code: u64;
        /// Microseconds.
        8 ts_us: u64;
        /// More about it.
        16 ex_err_code: u64;
    }
    /// Memory of a process.
    BoUsage "amdxdna_drm_bo_usage": 32 {
        /// Process.
        0 pid: i64;
        /// All of it.
        8 total_usage: u64;
        /// What the driver needs itself.
        16 internal_usage: u64;
        /// Of the heap.
        24 heap_usage: u64;
    }
    /// Asks for the state of a context's tiles.
    AieCoredump "amdxdna_drm_aie_coredump": 16 {
        /// Process.
        0 pid: u64;
        /// Context.
        8 context_id: u32;
        /// Zero.
        12 pad: u32;
    }
    /// Reads or writes a tile of a context.
    AieTileAccess "amdxdna_drm_aie_tile_access": 32 {
        /// Process.
        0 pid: u64;
        /// Context.
        8 context_id: u32;
        /// Column.
        12 col: u32;
        /// Row.
        16 row: u32;
        /// Offset in the tile.
        20 addr: u32;
        /// Bytes.
        24 size: u32;
        /// Register or memory.
        28 kind: u8;
        /// Zero.
        29 pad: [u8; 3];
    }
    /// Asks for a list.
    GetArray "amdxdna_drm_get_array": 24 {
        /// What of.
        0 param: u32;
        /// Bytes of an element.
        4 element_size: u32;
        /// Elements.
        8 num_element: u32;
        /// Zero.
        12 pad: u32;
        /// Pointer to where they go.
        16 buffer: u64;
    }
    /// Sets something about the device.
    SetState "amdxdna_drm_set_state": 16 {
        /// What.
        0 param: u32;
        /// Bytes of the value.
        4 buffer_size: u32;
        /// Pointer to the value.
        8 buffer: u64;
    }
    /// Sets the power mode.
    SetPowerMode "amdxdna_drm_set_power_mode": 8 {
        /// The mode.
        0 power_mode: u8;
        /// Zero.
        1 pad: [u8; 7];
    }
    /// Head of a table of memory that becomes one buffer.
    VaTable "amdxdna_drm_va_tbl": 8 {
        /// File descriptor of a DMA buffer, or -1.
        0 dmabuf_fd: i32;
        /// Entries.
        4 num_entries: u32;
    }
    /// An entry of that table.
    VaEntry "amdxdna_drm_va_entry": 16 {
        /// Address in the process.
        0 vaddr: u64;
        /// Bytes.
        8 len: u64;
    }
}

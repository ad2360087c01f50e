// Generated from registers.tsv by tests/tables.rs: edit the list, then run
// BLESS=1 cargo test -p ferrite-xdna --test tables

use super::{Module, RegisterInfo, registers};

registers! {
    Core core {
        0x31100 1 0x0 "Core_PC" CORE_PC core_pc {
            0 19 "Register_Value" REGISTER_VALUE;
        }
        0x31120 1 0x0 "Core_SP" CORE_SP core_sp {
            0 19 "Register_Value" REGISTER_VALUE;
        }
        0x31130 1 0x0 "Core_LR" CORE_LR core_lr {
            0 19 "Register_Value" REGISTER_VALUE;
        }
        0x31170 1 0x0 "Core_CR" CORE_CR core_cr {
            0 1 "Saturation_Mode" SATURATION_MODE;
            2 5 "Round_Mode" ROUND_MODE;
            6 6 "Float_MAC_Zero_Mask" FLOAT_MAC_ZERO_MASK;
            7 7 "Float_MAC_Infinity_Mask" FLOAT_MAC_INFINITY_MASK;
            8 8 "Float_MAC_Invalid_Mask" FLOAT_MAC_INVALID_MASK;
            9 9 "Float_MAC_Tiny_Mask" FLOAT_MAC_TINY_MASK;
            10 10 "Float_MAC_Huge_Mask" FLOAT_MAC_HUGE_MASK;
            11 11 "MCD_Enable" MCD_ENABLE;
            12 12 "SCD_Enable" SCD_ENABLE;
            13 13 "Vadd_Sign" VADD_SIGN;
            14 14 "Unpack_Sign" UNPACK_SIGN;
            15 15 "Pack_Sign" PACK_SIGN;
            16 16 "UPS_Sign" UPS_SIGN;
            17 17 "SRS_Sign" SRS_SIGN;
            18 18 "Bfloat_to_Int_Zero_Mask" BFLOAT_TO_INT_ZERO_MASK;
            19 19 "Reserved" RESERVED;
            20 20 "Bfloat_to_Int_Invalid_Mask" BFLOAT_TO_INT_INVALID_MASK;
            21 21 "Bfloat_to_Int_Tiny_Mask" BFLOAT_TO_INT_TINY_MASK;
            22 22 "Bfloat_to_Int_Huge_Mask" BFLOAT_TO_INT_HUGE_MASK;
            23 23 "Float_to_Bfloat_Zero_Mask" FLOAT_TO_BFLOAT_ZERO_MASK;
            24 24 "Float_to_Bfloat_Infinity_Mask" FLOAT_TO_BFLOAT_INFINITY_MASK;
            25 25 "Float_to_Bfloat_Invalid_Mask" FLOAT_TO_BFLOAT_INVALID_MASK;
            26 26 "Float_to_Bfloat_Tiny_Mask" FLOAT_TO_BFLOAT_TINY_MASK;
            27 27 "Float_to_Bfloat_Huge_Mask" FLOAT_TO_BFLOAT_HUGE_MASK;
        }
        0x31180 1 0x0 "Core_SR" CORE_SR core_sr {
            0 0 "Carry" CARRY;
            1 1 "SS0_Success" SS0_SUCCESS;
            2 2 "SS0_Tlast" SS0_TLAST;
            3 3 "MS0_Success" MS0_SUCCESS;
            4 4 "SRS_Overflow" SRS_OVERFLOW;
            5 5 "UPS_Overflow" UPS_OVERFLOW;
            6 6 "Compression_Underflow" COMPRESSION_UNDERFLOW;
            7 7 "Float_MAC_Zero_Flag" FLOAT_MAC_ZERO_FLAG;
            8 8 "Float_MAC_Infinity_Flag" FLOAT_MAC_INFINITY_FLAG;
            9 9 "Float_MAC_Invalid_Flag" FLOAT_MAC_INVALID_FLAG;
            10 10 "Float_MAC_Tiny_Flag" FLOAT_MAC_TINY_FLAG;
            11 11 "Float_MAC_Huge_Flag" FLOAT_MAC_HUGE_FLAG;
            12 12 "Bfloat_to_Int_Zero_Flag" BFLOAT_TO_INT_ZERO_FLAG;
            13 13 "Reserved" RESERVED;
            14 14 "Bfloat_to_Int_Invalid_Flag" BFLOAT_TO_INT_INVALID_FLAG;
            15 15 "Bfloat_to_Int_Tiny_Flag" BFLOAT_TO_INT_TINY_FLAG;
            16 16 "Bfloat_to_Int_Huge_Flag" BFLOAT_TO_INT_HUGE_FLAG;
            17 17 "Float_to_Bfloat_Zero_Flag" FLOAT_TO_BFLOAT_ZERO_FLAG;
            18 18 "Float_to_Bfloat_Infinity_Flag" FLOAT_TO_BFLOAT_INFINITY_FLAG;
            19 19 "Float_to_Bfloat_Invalid_Flag" FLOAT_TO_BFLOAT_INVALID_FLAG;
            20 20 "Float_to_Bfloat_Tiny_Flag" FLOAT_TO_BFLOAT_TINY_FLAG;
            21 21 "Float_to_Bfloat_Huge_Flag" FLOAT_TO_BFLOAT_HUGE_FLAG;
            22 22 "Sparse_Overflow" SPARSE_OVERFLOW;
        }
        0x31500 1 0x0 "Performance_Control0" PERFORMANCE_CONTROL0 performance_control0 {
            0 6 "Cnt0_Start_Event" CNT0_START_EVENT;
            8 14 "Cnt0_Stop_Event" CNT0_STOP_EVENT;
            16 22 "Cnt1_Start_Event" CNT1_START_EVENT;
            24 30 "Cnt1_Stop_Event" CNT1_STOP_EVENT;
        }
        0x31504 1 0x0 "Performance_Control1" PERFORMANCE_CONTROL1 performance_control1 {
            0 6 "Cnt2_Start_Event" CNT2_START_EVENT;
            8 14 "Cnt2_Stop_Event" CNT2_STOP_EVENT;
            16 22 "Cnt3_Start_Event" CNT3_START_EVENT;
            24 30 "Cnt3_Stop_Event" CNT3_STOP_EVENT;
        }
        0x31508 1 0x0 "Performance_Control2" PERFORMANCE_CONTROL2 performance_control2 {
            0 6 "Cnt0_Reset_Event" CNT0_RESET_EVENT;
            8 14 "Cnt1_Reset_Event" CNT1_RESET_EVENT;
            16 22 "Cnt2_Reset_Event" CNT2_RESET_EVENT;
            24 30 "Cnt3_Reset_Event" CNT3_RESET_EVENT;
        }
        0x31520 4 0x4 "Performance_Counter{}" PERFORMANCE_COUNTERN performance_countern {
            0 31 "Counter0_Value" COUNTER0_VALUE;
        }
        0x31580 4 0x4 "Performance_Counter{}_Event_Value" PERFORMANCE_COUNTERN_EVENT_VALUE performance_countern_event_value {
            0 31 "Counter_Event_Value" COUNTER_EVENT_VALUE;
        }
        0x32000 1 0x0 "Core_Control" CORE_CONTROL core_control {
            0 0 "Enable" ENABLE;
            1 1 "Reset" RESET;
        }
        0x32004 1 0x0 "Core_Status" CORE_STATUS core_status {
            0 0 "Enable" ENABLE;
            1 1 "Reset" RESET;
            2 2 "Memory_Stall_S" MEMORY_STALL_S;
            3 3 "Memory_Stall_W" MEMORY_STALL_W;
            4 4 "Memory_Stall_N" MEMORY_STALL_N;
            5 5 "Memory_Stall_E" MEMORY_STALL_E;
            6 6 "Lock_Stall_S" LOCK_STALL_S;
            7 7 "Lock_Stall_W" LOCK_STALL_W;
            8 8 "Lock_Stall_N" LOCK_STALL_N;
            9 9 "Lock_Stall_E" LOCK_STALL_E;
            10 10 "Stream_Stall_SS0" STREAM_STALL_SS0;
            12 12 "Stream_Stall_MS0" STREAM_STALL_MS0;
            14 14 "Cascade_Stall_SCD" CASCADE_STALL_SCD;
            15 15 "Cascade_Stall_MCD" CASCADE_STALL_MCD;
            16 16 "Debug_Halt" DEBUG_HALT;
            17 17 "ECC_Error_Stall" ECC_ERROR_STALL;
            18 18 "ECC_Scrubbing_Stall" ECC_SCRUBBING_STALL;
            19 19 "Error_Halt" ERROR_HALT;
            20 20 "Core_Done" CORE_DONE;
            21 21 "Core_Processor_Bus_Stall" CORE_PROCESSOR_BUS_STALL;
        }
        0x32008 1 0x0 "Enable_Events" ENABLE_EVENTS enable_events {
            0 6 "Enable_Event" ENABLE_EVENT;
            7 7 "Enable_Event_occurred" ENABLE_EVENT_OCCURRED;
            8 14 "Disable_Event" DISABLE_EVENT;
            15 15 "Disable_Event_occurred" DISABLE_EVENT_OCCURRED;
        }
        0x3200c 1 0x0 "Reset_Event" RESET_EVENT reset_event {
            0 6 "Reset_Event" RESET_EVENT;
        }
        0x32010 1 0x0 "Debug_Control0" DEBUG_CONTROL0 debug_control0 {
            0 0 "Debug_Halt_Bit" DEBUG_HALT_BIT;
            2 5 "Single_Step_Count" SINGLE_STEP_COUNT;
        }
        0x32014 1 0x0 "Debug_Control1" DEBUG_CONTROL1 debug_control1 {
            0 6 "Debug_Resume_Core_Event" DEBUG_RESUME_CORE_EVENT;
            8 14 "Debug_SingleStep_Core_Event" DEBUG_SINGLESTEP_CORE_EVENT;
            16 22 "Debug_Halt_Core_Event0" DEBUG_HALT_CORE_EVENT0;
            24 30 "Debug_Halt_Core_Event1" DEBUG_HALT_CORE_EVENT1;
        }
        0x32018 1 0x0 "Debug_Control2" DEBUG_CONTROL2 debug_control2 {
            0 0 "PC_Event_Halt" PC_EVENT_HALT;
            1 1 "Memory_Stall_Halt" MEMORY_STALL_HALT;
            2 2 "Lock_Stall_Halt" LOCK_STALL_HALT;
            3 3 "Stream_Stall_Halt" STREAM_STALL_HALT;
        }
        0x3201c 1 0x0 "Debug_Status" DEBUG_STATUS debug_status {
            0 0 "Debug_halted" DEBUG_HALTED;
            1 1 "PC_Event_halted" PC_EVENT_HALTED;
            2 2 "Memory_Stall_Halted" MEMORY_STALL_HALTED;
            3 3 "Lock_Stall_Halted" LOCK_STALL_HALTED;
            4 4 "Stream_stall_Halted" STREAM_STALL_HALTED;
            5 5 "Debug_Event0_Halted" DEBUG_EVENT0_HALTED;
            6 6 "Debug_Event1_Halted" DEBUG_EVENT1_HALTED;
        }
        0x32030 1 0x0 "Error_Halt_Control" ERROR_HALT_CONTROL error_halt_control {
            0 0 "Error_Halt" ERROR_HALT;
        }
        0x32034 1 0x0 "Error_Halt_Event" ERROR_HALT_EVENT error_halt_event {
            0 6 "Error_Halt_Core_Event" ERROR_HALT_CORE_EVENT;
        }
        0x34000 1 0x0 "Timer_Control" TIMER_CONTROL timer_control {
            8 14 "Reset_Event" RESET_EVENT;
            31 31 "Reset" RESET;
        }
        0x34008 1 0x0 "Event_Generate" EVENT_GENERATE event_generate {
            0 6 "Event" EVENT;
        }
        0x34010 16 0x4 "Event_Broadcast{}" EVENT_BROADCASTN event_broadcastn {
            0 6 "Event" EVENT;
        }
        0x34050 1 0x0 "Event_Broadcast_Block_South_Set" EVENT_BROADCAST_BLOCK_SOUTH_SET event_broadcast_block_south_set {
            0 15 "Set" SET;
        }
        0x34054 1 0x0 "Event_Broadcast_Block_South_Clr" EVENT_BROADCAST_BLOCK_SOUTH_CLR event_broadcast_block_south_clr {
            0 15 "Clear" CLEAR;
        }
        0x34058 1 0x0 "Event_Broadcast_Block_South_Value" EVENT_BROADCAST_BLOCK_SOUTH_VALUE event_broadcast_block_south_value {
            0 15 "Value" VALUE;
        }
        0x34060 1 0x0 "Event_Broadcast_Block_West_Set" EVENT_BROADCAST_BLOCK_WEST_SET event_broadcast_block_west_set {
            0 15 "Set" SET;
        }
        0x34064 1 0x0 "Event_Broadcast_Block_West_Clr" EVENT_BROADCAST_BLOCK_WEST_CLR event_broadcast_block_west_clr {
            0 15 "Clear" CLEAR;
        }
        0x34068 1 0x0 "Event_Broadcast_Block_West_Value" EVENT_BROADCAST_BLOCK_WEST_VALUE event_broadcast_block_west_value {
            0 15 "Value" VALUE;
        }
        0x34070 1 0x0 "Event_Broadcast_Block_North_Set" EVENT_BROADCAST_BLOCK_NORTH_SET event_broadcast_block_north_set {
            0 15 "Set" SET;
        }
        0x34074 1 0x0 "Event_Broadcast_Block_North_Clr" EVENT_BROADCAST_BLOCK_NORTH_CLR event_broadcast_block_north_clr {
            0 15 "Clear" CLEAR;
        }
        0x34078 1 0x0 "Event_Broadcast_Block_North_Value" EVENT_BROADCAST_BLOCK_NORTH_VALUE event_broadcast_block_north_value {
            0 15 "Value" VALUE;
        }
        0x34080 1 0x0 "Event_Broadcast_Block_East_Set" EVENT_BROADCAST_BLOCK_EAST_SET event_broadcast_block_east_set {
            0 15 "Set" SET;
        }
        0x34084 1 0x0 "Event_Broadcast_Block_East_Clr" EVENT_BROADCAST_BLOCK_EAST_CLR event_broadcast_block_east_clr {
            0 15 "Clear" CLEAR;
        }
        0x34088 1 0x0 "Event_Broadcast_Block_East_Value" EVENT_BROADCAST_BLOCK_EAST_VALUE event_broadcast_block_east_value {
            0 15 "Value" VALUE;
        }
        0x340d0 1 0x0 "Trace_Control0" TRACE_CONTROL0 trace_control0 {
            0 1 "Mode" MODE;
            16 22 "Trace_Start_Event" TRACE_START_EVENT;
            24 30 "Trace_Stop_Event" TRACE_STOP_EVENT;
        }
        0x340d4 1 0x0 "Trace_Control1" TRACE_CONTROL1 trace_control1 {
            0 4 "ID" ID;
            12 14 "Packet_Type" PACKET_TYPE;
        }
        0x340d8 1 0x0 "Trace_Status" TRACE_STATUS trace_status {
            0 2 "Mode" MODE;
            8 9 "State" STATE;
        }
        0x340e0 1 0x0 "Trace_Event0" TRACE_EVENT0 trace_event0 {
            0 6 "Trace_Event0" TRACE_EVENT0;
            8 14 "Trace_Event1" TRACE_EVENT1;
            16 22 "Trace_Event2" TRACE_EVENT2;
            24 30 "Trace_Event3" TRACE_EVENT3;
        }
        0x340e4 1 0x0 "Trace_Event1" TRACE_EVENT1 trace_event1 {
            0 6 "Trace_Event4" TRACE_EVENT4;
            8 14 "Trace_Event5" TRACE_EVENT5;
            16 22 "Trace_Event6" TRACE_EVENT6;
            24 30 "Trace_Event7" TRACE_EVENT7;
        }
        0x340f0 1 0x0 "Timer_Trig_Event_Low_Value" TIMER_TRIG_EVENT_LOW_VALUE timer_trig_event_low_value {
            0 31 "TimerTrigLow" TIMERTRIGLOW;
        }
        0x340f4 1 0x0 "Timer_Trig_Event_High_Value" TIMER_TRIG_EVENT_HIGH_VALUE timer_trig_event_high_value {
            0 31 "TimerTrigHigh" TIMERTRIGHIGH;
        }
        0x340f8 1 0x0 "Timer_Low" TIMER_LOW timer_low {
            0 31 "TimerLow" TIMERLOW;
        }
        0x340fc 1 0x0 "Timer_High" TIMER_HIGH timer_high {
            0 31 "TimerHigh" TIMERHIGH;
        }
        0x34200 1 0x0 "Event_Status0" EVENT_STATUS0 event_status0 {
            0 31 "Event_31_0_Status" EVENT_31_0_STATUS;
        }
        0x34204 1 0x0 "Event_Status1" EVENT_STATUS1 event_status1 {
            0 31 "Event_63_32_Status" EVENT_63_32_STATUS;
        }
        0x34208 1 0x0 "Event_Status2" EVENT_STATUS2 event_status2 {
            0 31 "Event_95_64_Status" EVENT_95_64_STATUS;
        }
        0x3420c 1 0x0 "Event_Status3" EVENT_STATUS3 event_status3 {
            0 31 "Event_127_96_Status" EVENT_127_96_STATUS;
        }
        0x34400 1 0x0 "Combo_event_inputs" COMBO_EVENT_INPUTS combo_event_inputs {
            0 6 "eventA" EVENTA;
            8 14 "eventB" EVENTB;
            16 22 "eventC" EVENTC;
            24 30 "eventD" EVENTD;
        }
        0x34404 1 0x0 "Combo_event_control" COMBO_EVENT_CONTROL combo_event_control {
            0 1 "combo0" COMBO0;
            8 9 "combo1" COMBO1;
            16 17 "combo2" COMBO2;
        }
        0x34408 1 0x0 "Edge_Detection_event_control" EDGE_DETECTION_EVENT_CONTROL edge_detection_event_control {
            0 6 "Edge_Detection_Event_0" EDGE_DETECTION_EVENT_0;
            9 9 "Edge_Detection_0_Trigger_Rising" EDGE_DETECTION_0_TRIGGER_RISING;
            10 10 "Edge_Detection_0_Trigger_Falling" EDGE_DETECTION_0_TRIGGER_FALLING;
            16 22 "Edge_Detection_Event_1" EDGE_DETECTION_EVENT_1;
            25 25 "Edge_Detection_1_Trigger_Rising" EDGE_DETECTION_1_TRIGGER_RISING;
            26 26 "Edge_Detection_1_Trigger_Falling" EDGE_DETECTION_1_TRIGGER_FALLING;
        }
        0x34500 1 0x0 "Event_Group_0_Enable" EVENT_GROUP_0_ENABLE event_group_0_enable {
            0 0 "Timer_Sync" TIMER_SYNC;
            1 1 "Timer_Value_Reached" TIMER_VALUE_REACHED;
            2 2 "Perf_Cnt0" PERF_CNT0;
            3 3 "Perf_Cnt1" PERF_CNT1;
            4 4 "Perf_Cnt2" PERF_CNT2;
            5 5 "Perf_Cnt3" PERF_CNT3;
            6 6 "Combo_Event_0" COMBO_EVENT_0;
            7 7 "Combo_Event_1" COMBO_EVENT_1;
            8 8 "Combo_Event_2" COMBO_EVENT_2;
            9 9 "Combo_Event_3" COMBO_EVENT_3;
            10 10 "Edge_Detection_Event_0" EDGE_DETECTION_EVENT_0;
            11 11 "Edge_Detection_Event_1" EDGE_DETECTION_EVENT_1;
        }
        0x34504 1 0x0 "Event_Group_PC_Enable" EVENT_GROUP_PC_ENABLE event_group_pc_enable {
            0 0 "PC_0" PC_0;
            1 1 "PC_1" PC_1;
            2 2 "PC_2" PC_2;
            3 3 "PC_3" PC_3;
            4 4 "PC_Range_0_1" PC_RANGE_0_1;
            5 5 "PC_Range_2_3" PC_RANGE_2_3;
        }
        0x34508 1 0x0 "Event_Group_Core_Stall_Enable" EVENT_GROUP_CORE_STALL_ENABLE event_group_core_stall_enable {
            0 0 "Memory_Stall" MEMORY_STALL;
            1 1 "Stream_Stall" STREAM_STALL;
            2 2 "Cascade_Stall" CASCADE_STALL;
            3 3 "Lock_Stall" LOCK_STALL;
            4 4 "Debug" DEBUG;
            5 5 "Active" ACTIVE;
            6 6 "Disable" DISABLE;
            7 7 "ECC_Scrubbing_Stall" ECC_SCRUBBING_STALL;
            8 8 "ECC_Error_Stall" ECC_ERROR_STALL;
        }
        0x3450c 1 0x0 "Event_Group_Core_Program_Flow_Enable" EVENT_GROUP_CORE_PROGRAM_FLOW_ENABLE event_group_core_program_flow_enable {
            0 0 "Instr_Event_0" INSTR_EVENT_0;
            1 1 "Instr_Event_1" INSTR_EVENT_1;
            2 2 "Instr_Call" INSTR_CALL;
            3 3 "Instr_Return" INSTR_RETURN;
            4 4 "Instr_Vector" INSTR_VECTOR;
            5 5 "Instr_Load" INSTR_LOAD;
            6 6 "Instr_Store" INSTR_STORE;
            7 7 "Instr_Stream_Get" INSTR_STREAM_GET;
            8 8 "Instr_Stream_Put" INSTR_STREAM_PUT;
            9 9 "Instr_Cascade_Get" INSTR_CASCADE_GET;
            10 10 "Instr_Cascade_Put" INSTR_CASCADE_PUT;
            11 11 "Instr_Lock_Acquire_req" INSTR_LOCK_ACQUIRE_REQ;
            12 12 "Instr_Lock_Release_req" INSTR_LOCK_RELEASE_REQ;
        }
        0x34510 2 0x4 "Event_Group_Errors{}_Enable" EVENT_GROUP_ERRORSN_ENABLE event_group_errorsn_enable {
            0 0 "SRS_Overflow" SRS_OVERFLOW;
            1 1 "UPS_Overflow" UPS_OVERFLOW;
            2 2 "FP_Huge" FP_HUGE;
            3 3 "Int_FP_Zero" INT_FP_ZERO;
            4 4 "FP_Invalid" FP_INVALID;
            5 5 "FP_INF" FP_INF;
            6 6 "Reserved" RESERVED;
            7 7 "PM_Reg_Access_Failure" PM_REG_ACCESS_FAILURE;
            8 8 "Stream_Pkt_Parity_Error" STREAM_PKT_PARITY_ERROR;
            9 9 "Control_Pkt_Error" CONTROL_PKT_ERROR;
            10 10 "AXI_MM_Slave_Error" AXI_MM_SLAVE_ERROR;
            11 11 "Instruction_Decompression_Error" INSTRUCTION_DECOMPRESSION_ERROR;
            12 12 "DM_address_out_of_range" DM_ADDRESS_OUT_OF_RANGE;
            13 13 "PM_ECC_Error_Scrub_Corrected" PM_ECC_ERROR_SCRUB_CORRECTED;
            14 14 "PM_ECC_Error_Scrub_2bit" PM_ECC_ERROR_SCRUB_2BIT;
            15 15 "PM_ECC_Error_1bit" PM_ECC_ERROR_1BIT;
            16 16 "PM_ECC_Error_2bit" PM_ECC_ERROR_2BIT;
            17 17 "PM_address_out_of_range" PM_ADDRESS_OUT_OF_RANGE;
            18 18 "DM_access_to_Unavailable" DM_ACCESS_TO_UNAVAILABLE;
            19 19 "Lock_Access_to_Unavailable" LOCK_ACCESS_TO_UNAVAILABLE;
            20 20 "Instr_Warning" INSTR_WARNING;
            21 21 "Instr_Error" INSTR_ERROR;
            22 22 "Decompression_underflow" DECOMPRESSION_UNDERFLOW;
            23 23 "Stream_Switch_Port_Parity_Error" STREAM_SWITCH_PORT_PARITY_ERROR;
            24 24 "Processor_Bus_Error" PROCESSOR_BUS_ERROR;
        }
        0x34518 1 0x0 "Event_Group_Stream_Switch_Enable" EVENT_GROUP_STREAM_SWITCH_ENABLE event_group_stream_switch_enable {
            0 0 "Port_Idle_0" PORT_IDLE_0;
            1 1 "Port_Running_0" PORT_RUNNING_0;
            2 2 "Port_Stalled_0" PORT_STALLED_0;
            3 3 "Port_TLAST_0" PORT_TLAST_0;
            4 4 "Port_Idle_1" PORT_IDLE_1;
            5 5 "Port_Running_1" PORT_RUNNING_1;
            6 6 "Port_Stalled_1" PORT_STALLED_1;
            7 7 "Port_TLAST_1" PORT_TLAST_1;
            8 8 "Port_Idle_2" PORT_IDLE_2;
            9 9 "Port_Running_2" PORT_RUNNING_2;
            10 10 "Port_Stalled_2" PORT_STALLED_2;
            11 11 "Port_TLAST_2" PORT_TLAST_2;
            12 12 "Port_Idle_3" PORT_IDLE_3;
            13 13 "Port_Running_3" PORT_RUNNING_3;
            14 14 "Port_Stalled_3" PORT_STALLED_3;
            15 15 "Port_TLAST_3" PORT_TLAST_3;
            16 16 "Port_Idle_4" PORT_IDLE_4;
            17 17 "Port_Running_4" PORT_RUNNING_4;
            18 18 "Port_Stalled_4" PORT_STALLED_4;
            19 19 "Port_TLAST_4" PORT_TLAST_4;
            20 20 "Port_Idle_5" PORT_IDLE_5;
            21 21 "Port_Running_5" PORT_RUNNING_5;
            22 22 "Port_Stalled_5" PORT_STALLED_5;
            23 23 "Port_TLAST_5" PORT_TLAST_5;
            24 24 "Port_Idle_6" PORT_IDLE_6;
            25 25 "Port_Running_6" PORT_RUNNING_6;
            26 26 "Port_Stalled_6" PORT_STALLED_6;
            27 27 "Port_TLAST_6" PORT_TLAST_6;
            28 28 "Port_Idle_7" PORT_IDLE_7;
            29 29 "Port_Running_7" PORT_RUNNING_7;
            30 30 "Port_Stalled_7" PORT_STALLED_7;
            31 31 "Port_TLAST_7" PORT_TLAST_7;
        }
        0x3451c 1 0x0 "Event_Group_Broadcast_Enable" EVENT_GROUP_BROADCAST_ENABLE event_group_broadcast_enable {
            0 0 "Broadcast_0" BROADCAST_0;
            1 1 "Broadcast_1" BROADCAST_1;
            2 2 "Broadcast_2" BROADCAST_2;
            3 3 "Broadcast_3" BROADCAST_3;
            4 4 "Broadcast_4" BROADCAST_4;
            5 5 "Broadcast_5" BROADCAST_5;
            6 6 "Broadcast_6" BROADCAST_6;
            7 7 "Broadcast_7" BROADCAST_7;
            8 8 "Broadcast_8" BROADCAST_8;
            9 9 "Broadcast_9" BROADCAST_9;
            10 10 "Broadcast_10" BROADCAST_10;
            11 11 "Broadcast_11" BROADCAST_11;
            12 12 "Broadcast_12" BROADCAST_12;
            13 13 "Broadcast_13" BROADCAST_13;
            14 14 "Broadcast_14" BROADCAST_14;
            15 15 "Broadcast_15" BROADCAST_15;
        }
        0x34520 1 0x0 "Event_Group_User_Event_Enable" EVENT_GROUP_USER_EVENT_ENABLE event_group_user_event_enable {
            0 0 "User_Event_0" USER_EVENT_0;
            1 1 "User_Event_1" USER_EVENT_1;
            2 2 "User_Event_2" USER_EVENT_2;
            3 3 "User_Event_3" USER_EVENT_3;
        }
        0x36030 1 0x0 "Tile_Control" TILE_CONTROL tile_control {
            0 0 "Isolate_From_South" ISOLATE_FROM_SOUTH;
            1 1 "Isolate_From_West" ISOLATE_FROM_WEST;
            2 2 "Isolate_From_North" ISOLATE_FROM_NORTH;
            3 3 "Isolate_From_East" ISOLATE_FROM_EAST;
        }
        0x36060 1 0x0 "Accumulator_Control" ACCUMULATOR_CONTROL accumulator_control {
            0 0 "Input" INPUT;
            1 1 "Output" OUTPUT;
        }
        0x36070 1 0x0 "Memory_Control" MEMORY_CONTROL memory_control {
            0 0 "Memory_Zeroisation" MEMORY_ZEROISATION;
        }
        0x3f000 1 0x0 "Stream_Switch_Master_Config_AIE_Core0" STREAM_SWITCH_MASTER_CONFIG_AIE_CORE0 stream_switch_master_config_aie_core0 {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f004 2 0x4 "Stream_Switch_Master_Config_DMA{}" STREAM_SWITCH_MASTER_CONFIG_DMAN stream_switch_master_config_dman {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f00c 1 0x0 "Stream_Switch_Master_Config_Tile_Ctrl" STREAM_SWITCH_MASTER_CONFIG_TILE_CTRL stream_switch_master_config_tile_ctrl {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f010 1 0x0 "Stream_Switch_Master_Config_FIFO0" STREAM_SWITCH_MASTER_CONFIG_FIFO0 stream_switch_master_config_fifo0 {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f014 4 0x4 "Stream_Switch_Master_Config_South{}" STREAM_SWITCH_MASTER_CONFIG_SOUTHN stream_switch_master_config_southn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f024 4 0x4 "Stream_Switch_Master_Config_West{}" STREAM_SWITCH_MASTER_CONFIG_WESTN stream_switch_master_config_westn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f034 6 0x4 "Stream_Switch_Master_Config_North{}" STREAM_SWITCH_MASTER_CONFIG_NORTHN stream_switch_master_config_northn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f04c 4 0x4 "Stream_Switch_Master_Config_East{}" STREAM_SWITCH_MASTER_CONFIG_EASTN stream_switch_master_config_eastn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f100 1 0x0 "Stream_Switch_Slave_Config_AIE_Core0" STREAM_SWITCH_SLAVE_CONFIG_AIE_CORE0 stream_switch_slave_config_aie_core0 {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f104 2 0x4 "Stream_Switch_Slave_Config_DMA_{}" STREAM_SWITCH_SLAVE_CONFIG_DMA_N stream_switch_slave_config_dma_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f10c 1 0x0 "Stream_Switch_Slave_Config_Tile_Ctrl" STREAM_SWITCH_SLAVE_CONFIG_TILE_CTRL stream_switch_slave_config_tile_ctrl {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f110 1 0x0 "Stream_Switch_Slave_Config_FIFO_0" STREAM_SWITCH_SLAVE_CONFIG_FIFO_0 stream_switch_slave_config_fifo_0 {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f114 6 0x4 "Stream_Switch_Slave_Config_South_{}" STREAM_SWITCH_SLAVE_CONFIG_SOUTH_N stream_switch_slave_config_south_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f12c 4 0x4 "Stream_Switch_Slave_Config_West_{}" STREAM_SWITCH_SLAVE_CONFIG_WEST_N stream_switch_slave_config_west_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f13c 4 0x4 "Stream_Switch_Slave_Config_North_{}" STREAM_SWITCH_SLAVE_CONFIG_NORTH_N stream_switch_slave_config_north_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f14c 4 0x4 "Stream_Switch_Slave_Config_East_{}" STREAM_SWITCH_SLAVE_CONFIG_EAST_N stream_switch_slave_config_east_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f15c 1 0x0 "Stream_Switch_Slave_Config_AIE_Trace" STREAM_SWITCH_SLAVE_CONFIG_AIE_TRACE stream_switch_slave_config_aie_trace {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f160 1 0x0 "Stream_Switch_Slave_Config_Mem_Trace" STREAM_SWITCH_SLAVE_CONFIG_MEM_TRACE stream_switch_slave_config_mem_trace {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f200 4 0x4 "Stream_Switch_Slave_AIE_Core0_Slot{}" STREAM_SWITCH_SLAVE_AIE_CORE0_SLOTN stream_switch_slave_aie_core0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f210 4 0x4 "Stream_Switch_Slave_DMA_0_Slot{}" STREAM_SWITCH_SLAVE_DMA_0_SLOTN stream_switch_slave_dma_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f220 4 0x4 "Stream_Switch_Slave_DMA_1_Slot{}" STREAM_SWITCH_SLAVE_DMA_1_SLOTN stream_switch_slave_dma_1_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f230 4 0x4 "Stream_Switch_Slave_Tile_Ctrl_Slot{}" STREAM_SWITCH_SLAVE_TILE_CTRL_SLOTN stream_switch_slave_tile_ctrl_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f240 4 0x4 "Stream_Switch_Slave_FIFO_0_Slot{}" STREAM_SWITCH_SLAVE_FIFO_0_SLOTN stream_switch_slave_fifo_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f250 6 0x10 "Stream_Switch_Slave_South_{}_Slot0" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT0 stream_switch_slave_south_n_slot0 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f254 6 0x10 "Stream_Switch_Slave_South_{}_Slot1" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT1 stream_switch_slave_south_n_slot1 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f258 6 0x10 "Stream_Switch_Slave_South_{}_Slot2" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT2 stream_switch_slave_south_n_slot2 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f25c 6 0x10 "Stream_Switch_Slave_South_{}_Slot3" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT3 stream_switch_slave_south_n_slot3 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2b0 4 0x4 "Stream_Switch_Slave_West_0_Slot{}" STREAM_SWITCH_SLAVE_WEST_0_SLOTN stream_switch_slave_west_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2c0 4 0x4 "Stream_Switch_Slave_West_1_Slot{}" STREAM_SWITCH_SLAVE_WEST_1_SLOTN stream_switch_slave_west_1_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2d0 4 0x4 "Stream_Switch_Slave_West_2_Slot{}" STREAM_SWITCH_SLAVE_WEST_2_SLOTN stream_switch_slave_west_2_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2e0 4 0x4 "Stream_Switch_Slave_West_3_Slot{}" STREAM_SWITCH_SLAVE_WEST_3_SLOTN stream_switch_slave_west_3_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2f0 4 0x4 "Stream_Switch_Slave_North_0_Slot{}" STREAM_SWITCH_SLAVE_NORTH_0_SLOTN stream_switch_slave_north_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f300 4 0x4 "Stream_Switch_Slave_North_1_Slot{}" STREAM_SWITCH_SLAVE_NORTH_1_SLOTN stream_switch_slave_north_1_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f310 4 0x4 "Stream_Switch_Slave_North_2_Slot{}" STREAM_SWITCH_SLAVE_NORTH_2_SLOTN stream_switch_slave_north_2_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f320 4 0x4 "Stream_Switch_Slave_North_3_Slot{}" STREAM_SWITCH_SLAVE_NORTH_3_SLOTN stream_switch_slave_north_3_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f330 4 0x4 "Stream_Switch_Slave_East_0_Slot{}" STREAM_SWITCH_SLAVE_EAST_0_SLOTN stream_switch_slave_east_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f340 4 0x4 "Stream_Switch_Slave_East_1_Slot{}" STREAM_SWITCH_SLAVE_EAST_1_SLOTN stream_switch_slave_east_1_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f350 4 0x4 "Stream_Switch_Slave_East_2_Slot{}" STREAM_SWITCH_SLAVE_EAST_2_SLOTN stream_switch_slave_east_2_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f360 4 0x4 "Stream_Switch_Slave_East_3_Slot{}" STREAM_SWITCH_SLAVE_EAST_3_SLOTN stream_switch_slave_east_3_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f370 4 0x4 "Stream_Switch_Slave_AIE_Trace_Slot{}" STREAM_SWITCH_SLAVE_AIE_TRACE_SLOTN stream_switch_slave_aie_trace_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f380 4 0x4 "Stream_Switch_Slave_Mem_Trace_Slot{}" STREAM_SWITCH_SLAVE_MEM_TRACE_SLOTN stream_switch_slave_mem_trace_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f800 2 0x10 "Stream_Switch_Deterministic_Merge_arb{}_slave0_1" STREAM_SWITCH_DETERMINISTIC_MERGE_ARBN_SLAVE0_1 stream_switch_deterministic_merge_arbn_slave0_1 {
            0 4 "Slave_ID_0" SLAVE_ID_0;
            8 13 "Packet_Count_0" PACKET_COUNT_0;
            16 20 "Slave_ID_1" SLAVE_ID_1;
            24 29 "Packet_Count_1" PACKET_COUNT_1;
        }
        0x3f804 2 0x10 "Stream_Switch_Deterministic_Merge_arb{}_slave2_3" STREAM_SWITCH_DETERMINISTIC_MERGE_ARBN_SLAVE2_3 stream_switch_deterministic_merge_arbn_slave2_3 {
            0 4 "Slave_ID_2" SLAVE_ID_2;
            8 13 "Packet_Count_2" PACKET_COUNT_2;
            16 20 "Slave_ID_3" SLAVE_ID_3;
            24 29 "Packet_Count_3" PACKET_COUNT_3;
        }
        0x3f808 2 0x10 "Stream_Switch_Deterministic_Merge_arb{}_ctrl" STREAM_SWITCH_DETERMINISTIC_MERGE_ARBN_CTRL stream_switch_deterministic_merge_arbn_ctrl {
            0 0 "Enable" ENABLE;
        }
        0x3ff00 1 0x0 "Stream_Switch_Event_Port_Selection_0" STREAM_SWITCH_EVENT_PORT_SELECTION_0 stream_switch_event_port_selection_0 {
            0 4 "Port_0_ID" PORT_0_ID;
            5 5 "Port_0_Master_Slave" PORT_0_MASTER_SLAVE;
            8 12 "Port_1_ID" PORT_1_ID;
            13 13 "Port_1_Master_Slave" PORT_1_MASTER_SLAVE;
            16 20 "Port_2_ID" PORT_2_ID;
            21 21 "Port_2_Master_Slave" PORT_2_MASTER_SLAVE;
            24 28 "Port_3_ID" PORT_3_ID;
            29 29 "Port_3_Master_Slave" PORT_3_MASTER_SLAVE;
        }
        0x3ff04 1 0x0 "Stream_Switch_Event_Port_Selection_1" STREAM_SWITCH_EVENT_PORT_SELECTION_1 stream_switch_event_port_selection_1 {
            0 4 "Port_4_ID" PORT_4_ID;
            5 5 "Port_4_Master_Slave" PORT_4_MASTER_SLAVE;
            8 12 "Port_5_ID" PORT_5_ID;
            13 13 "Port_5_Master_Slave" PORT_5_MASTER_SLAVE;
            16 20 "Port_6_ID" PORT_6_ID;
            21 21 "Port_6_Master_Slave" PORT_6_MASTER_SLAVE;
            24 28 "Port_7_ID" PORT_7_ID;
            29 29 "Port_7_Master_Slave" PORT_7_MASTER_SLAVE;
        }
        0x3ff30 1 0x0 "Tile_Control_Packet_Handler_Status" TILE_CONTROL_PACKET_HANDLER_STATUS tile_control_packet_handler_status {
            0 0 "First_Header_Parity_Error" FIRST_HEADER_PARITY_ERROR;
            1 1 "Second_Header_Parity_Error" SECOND_HEADER_PARITY_ERROR;
            2 2 "SLVERR_On_Access" SLVERR_ON_ACCESS;
            3 3 "Tlast_Error" TLAST_ERROR;
        }
        0x60000 1 0x0 "Module_Clock_Control" MODULE_CLOCK_CONTROL module_clock_control {
            0 0 "Stream_Switch_Clock_Enable" STREAM_SWITCH_CLOCK_ENABLE;
            1 1 "Memory_Module_Clock_Enable" MEMORY_MODULE_CLOCK_ENABLE;
            2 2 "Core_Module_Clock_Enable" CORE_MODULE_CLOCK_ENABLE;
            4 4 "Stream_Switch_Adaptive_Clock_Gate" STREAM_SWITCH_ADAPTIVE_CLOCK_GATE;
            5 5 "DMA_Adaptive_Clock_Gate" DMA_ADAPTIVE_CLOCK_GATE;
        }
    }
    Memory memory {
        0x11000 1 0x0 "Performance_Control0" PERFORMANCE_CONTROL0 performance_control0 {
            0 6 "Cnt0_Start_Event" CNT0_START_EVENT;
            8 14 "Cnt0_Stop_Event" CNT0_STOP_EVENT;
            16 22 "Cnt1_Start_Event" CNT1_START_EVENT;
            24 30 "Cnt1_Stop_Event" CNT1_STOP_EVENT;
        }
        0x11008 1 0x0 "Performance_Control1" PERFORMANCE_CONTROL1 performance_control1 {
            0 6 "Cnt0_Reset_Event" CNT0_RESET_EVENT;
            8 14 "Cnt1_Reset_Event" CNT1_RESET_EVENT;
        }
        0x11020 1 0x0 "Performance_Counter0" PERFORMANCE_COUNTER0 performance_counter0 {
            0 31 "Counter0_Value" COUNTER0_VALUE;
        }
        0x11024 1 0x0 "Performance_Counter1" PERFORMANCE_COUNTER1 performance_counter1 {
            0 31 "Counter1_Value" COUNTER1_VALUE;
        }
        0x11080 1 0x0 "Performance_Counter0_Event_Value" PERFORMANCE_COUNTER0_EVENT_VALUE performance_counter0_event_value {
            0 31 "Counter0_Event_Value" COUNTER0_EVENT_VALUE;
        }
        0x11084 1 0x0 "Performance_Counter1_Event_Value" PERFORMANCE_COUNTER1_EVENT_VALUE performance_counter1_event_value {
            0 31 "Counter1_Event_Value" COUNTER1_EVENT_VALUE;
        }
        0x14000 1 0x0 "Timer_Control" TIMER_CONTROL timer_control {
            8 14 "Reset_Event" RESET_EVENT;
            31 31 "Reset" RESET;
        }
        0x14008 1 0x0 "Event_Generate" EVENT_GENERATE event_generate {
            0 6 "Event" EVENT;
        }
        0x14010 16 0x4 "Event_Broadcast{}" EVENT_BROADCASTN event_broadcastn {
            0 6 "Event" EVENT;
        }
        0x14050 1 0x0 "Event_Broadcast_Block_South_Set" EVENT_BROADCAST_BLOCK_SOUTH_SET event_broadcast_block_south_set {
            0 15 "Set" SET;
        }
        0x14054 1 0x0 "Event_Broadcast_Block_South_Clr" EVENT_BROADCAST_BLOCK_SOUTH_CLR event_broadcast_block_south_clr {
            0 15 "Clear" CLEAR;
        }
        0x14058 1 0x0 "Event_Broadcast_Block_South_Value" EVENT_BROADCAST_BLOCK_SOUTH_VALUE event_broadcast_block_south_value {
            0 15 "Value" VALUE;
        }
        0x14060 1 0x0 "Event_Broadcast_Block_West_Set" EVENT_BROADCAST_BLOCK_WEST_SET event_broadcast_block_west_set {
            0 15 "Set" SET;
        }
        0x14064 1 0x0 "Event_Broadcast_Block_West_Clr" EVENT_BROADCAST_BLOCK_WEST_CLR event_broadcast_block_west_clr {
            0 15 "Clear" CLEAR;
        }
        0x14068 1 0x0 "Event_Broadcast_Block_West_Value" EVENT_BROADCAST_BLOCK_WEST_VALUE event_broadcast_block_west_value {
            0 15 "Value" VALUE;
        }
        0x14070 1 0x0 "Event_Broadcast_Block_North_Set" EVENT_BROADCAST_BLOCK_NORTH_SET event_broadcast_block_north_set {
            0 15 "Set" SET;
        }
        0x14074 1 0x0 "Event_Broadcast_Block_North_Clr" EVENT_BROADCAST_BLOCK_NORTH_CLR event_broadcast_block_north_clr {
            0 15 "Clear" CLEAR;
        }
        0x14078 1 0x0 "Event_Broadcast_Block_North_Value" EVENT_BROADCAST_BLOCK_NORTH_VALUE event_broadcast_block_north_value {
            0 15 "Value" VALUE;
        }
        0x14080 1 0x0 "Event_Broadcast_Block_East_Set" EVENT_BROADCAST_BLOCK_EAST_SET event_broadcast_block_east_set {
            0 15 "Set" SET;
        }
        0x14084 1 0x0 "Event_Broadcast_Block_East_Clr" EVENT_BROADCAST_BLOCK_EAST_CLR event_broadcast_block_east_clr {
            0 15 "Clear" CLEAR;
        }
        0x14088 1 0x0 "Event_Broadcast_Block_East_Value" EVENT_BROADCAST_BLOCK_EAST_VALUE event_broadcast_block_east_value {
            0 15 "Value" VALUE;
        }
        0x140d0 1 0x0 "Trace_Control0" TRACE_CONTROL0 trace_control0 {
            16 22 "Trace_Start_Event" TRACE_START_EVENT;
            24 30 "Trace_Stop_Event" TRACE_STOP_EVENT;
        }
        0x140d4 1 0x0 "Trace_Control1" TRACE_CONTROL1 trace_control1 {
            0 4 "ID" ID;
            12 14 "Packet_Type" PACKET_TYPE;
        }
        0x140d8 1 0x0 "Trace_Status" TRACE_STATUS trace_status {
            0 2 "Mode" MODE;
            8 9 "State" STATE;
        }
        0x140e0 1 0x0 "Trace_Event0" TRACE_EVENT0 trace_event0 {
            0 6 "Trace_Event0" TRACE_EVENT0;
            8 14 "Trace_Event1" TRACE_EVENT1;
            16 22 "Trace_Event2" TRACE_EVENT2;
            24 30 "Trace_Event3" TRACE_EVENT3;
        }
        0x140e4 1 0x0 "Trace_Event1" TRACE_EVENT1 trace_event1 {
            0 6 "Trace_Event4" TRACE_EVENT4;
            8 14 "Trace_Event5" TRACE_EVENT5;
            16 22 "Trace_Event6" TRACE_EVENT6;
            24 30 "Trace_Event7" TRACE_EVENT7;
        }
        0x140f0 1 0x0 "Timer_Trig_Event_Low_Value" TIMER_TRIG_EVENT_LOW_VALUE timer_trig_event_low_value {
            0 31 "TimerTrigLow" TIMERTRIGLOW;
        }
        0x140f4 1 0x0 "Timer_Trig_Event_High_Value" TIMER_TRIG_EVENT_HIGH_VALUE timer_trig_event_high_value {
            0 31 "TimerTrigHigh" TIMERTRIGHIGH;
        }
        0x140f8 1 0x0 "Timer_Low" TIMER_LOW timer_low {
            0 31 "TimerLow" TIMERLOW;
        }
        0x140fc 1 0x0 "Timer_High" TIMER_HIGH timer_high {
            0 31 "TimerHigh" TIMERHIGH;
        }
        0x14200 1 0x0 "Event_Status0" EVENT_STATUS0 event_status0 {
            0 31 "Event_31_0_Status" EVENT_31_0_STATUS;
        }
        0x14204 1 0x0 "Event_Status1" EVENT_STATUS1 event_status1 {
            0 31 "Event_63_32_Status" EVENT_63_32_STATUS;
        }
        0x14208 1 0x0 "Event_Status2" EVENT_STATUS2 event_status2 {
            0 31 "Event_95_64_Status" EVENT_95_64_STATUS;
        }
        0x1420c 1 0x0 "Event_Status3" EVENT_STATUS3 event_status3 {
            0 31 "Event_127_96_Status" EVENT_127_96_STATUS;
        }
        0x14400 1 0x0 "Combo_event_inputs" COMBO_EVENT_INPUTS combo_event_inputs {
            0 6 "eventA" EVENTA;
            8 14 "eventB" EVENTB;
            16 22 "eventC" EVENTC;
            24 30 "eventD" EVENTD;
        }
        0x14404 1 0x0 "Combo_event_control" COMBO_EVENT_CONTROL combo_event_control {
            0 1 "combo0" COMBO0;
            8 9 "combo1" COMBO1;
            16 17 "combo2" COMBO2;
        }
        0x14408 1 0x0 "Edge_Detection_event_control" EDGE_DETECTION_EVENT_CONTROL edge_detection_event_control {
            0 6 "Edge_Detection_Event_0" EDGE_DETECTION_EVENT_0;
            9 9 "Edge_Detection_0_Trigger_Rising" EDGE_DETECTION_0_TRIGGER_RISING;
            10 10 "Edge_Detection_0_Trigger_Falling" EDGE_DETECTION_0_TRIGGER_FALLING;
            16 22 "Edge_Detection_Event_1" EDGE_DETECTION_EVENT_1;
            25 25 "Edge_Detection_1_Trigger_Rising" EDGE_DETECTION_1_TRIGGER_RISING;
            26 26 "Edge_Detection_1_Trigger_Falling" EDGE_DETECTION_1_TRIGGER_FALLING;
        }
        0x14500 1 0x0 "Event_Group_0_Enable" EVENT_GROUP_0_ENABLE event_group_0_enable {
            0 0 "Timer_Sync" TIMER_SYNC;
            1 1 "Timer_Value_Reached" TIMER_VALUE_REACHED;
            2 2 "Perf_Cnt0_Event" PERF_CNT0_EVENT;
            3 3 "Perf_Cnt1_Event" PERF_CNT1_EVENT;
            4 4 "Combo_Event_0" COMBO_EVENT_0;
            5 5 "Combo_Event_1" COMBO_EVENT_1;
            6 6 "Combo_Event_2" COMBO_EVENT_2;
            7 7 "Combo_Event_3" COMBO_EVENT_3;
            8 8 "Edge_Detection_Event_0" EDGE_DETECTION_EVENT_0;
            9 9 "Edge_Detection_Event_1" EDGE_DETECTION_EVENT_1;
        }
        0x14504 1 0x0 "Event_Group_Watchpoint_Enable" EVENT_GROUP_WATCHPOINT_ENABLE event_group_watchpoint_enable {
            0 0 "Watchpoint_0" WATCHPOINT_0;
            1 1 "Watchpoint_1" WATCHPOINT_1;
        }
        0x14508 1 0x0 "Event_Group_DMA_Enable" EVENT_GROUP_DMA_ENABLE event_group_dma_enable {
            0 0 "DMA_S2MM_0_start_task" DMA_S2MM_0_START_TASK;
            1 1 "DMA_S2MM_1_start_task" DMA_S2MM_1_START_TASK;
            2 2 "DMA_MM2S_0_start_task" DMA_MM2S_0_START_TASK;
            3 3 "DMA_MM2S_1_start_task" DMA_MM2S_1_START_TASK;
            4 4 "DMA_S2MM_0_finished_BD" DMA_S2MM_0_FINISHED_BD;
            5 5 "DMA_S2MM_1_finished_BD" DMA_S2MM_1_FINISHED_BD;
            6 6 "DMA_MM2S_0_finished_BD" DMA_MM2S_0_FINISHED_BD;
            7 7 "DMA_MM2S_1_finished_BD" DMA_MM2S_1_FINISHED_BD;
            8 8 "DMA_S2MM_0_finished_task" DMA_S2MM_0_FINISHED_TASK;
            9 9 "DMA_S2MM_1_finished_task" DMA_S2MM_1_FINISHED_TASK;
            10 10 "DMA_MM2S_0_finished_task" DMA_MM2S_0_FINISHED_TASK;
            11 11 "DMA_MM2S_1_finished_task" DMA_MM2S_1_FINISHED_TASK;
            12 12 "DMA_S2MM_0_stalled_lock_acquire" DMA_S2MM_0_STALLED_LOCK_ACQUIRE;
            13 13 "DMA_S2MM_1_stalled_lock_acquire" DMA_S2MM_1_STALLED_LOCK_ACQUIRE;
            14 14 "DMA_MM2S_0_stalled_lock_acquire" DMA_MM2S_0_STALLED_LOCK_ACQUIRE;
            15 15 "DMA_MM2S_1_stalled_lock_acquire" DMA_MM2S_1_STALLED_LOCK_ACQUIRE;
            16 16 "DMA_S2MM_0_stream_starvation" DMA_S2MM_0_STREAM_STARVATION;
            17 17 "DMA_S2MM_1_stream_starvation" DMA_S2MM_1_STREAM_STARVATION;
            18 18 "DMA_S2MM_0_memory_backpressure" DMA_S2MM_0_MEMORY_BACKPRESSURE;
            19 19 "DMA_S2MM_1_memory_backpressure" DMA_S2MM_1_MEMORY_BACKPRESSURE;
            20 20 "DMA_MM2S_0_stream_backpressure" DMA_MM2S_0_STREAM_BACKPRESSURE;
            21 21 "DMA_MM2S_1_stream_backpressure" DMA_MM2S_1_STREAM_BACKPRESSURE;
            22 22 "DMA_MM2S_0_memory_starvation" DMA_MM2S_0_MEMORY_STARVATION;
            23 23 "DMA_MM2S_1_memory_starvation" DMA_MM2S_1_MEMORY_STARVATION;
        }
        0x1450c 1 0x0 "Event_Group_Lock_Enable" EVENT_GROUP_LOCK_ENABLE event_group_lock_enable {
            0 0 "Lock_Sel0_acq_eq" LOCK_SEL0_ACQ_EQ;
            1 1 "Lock_Sel0_acq_ge" LOCK_SEL0_ACQ_GE;
            2 2 "Lock_Sel0_rel" LOCK_SEL0_REL;
            3 3 "Lock_Sel0_equal_to_value" LOCK_SEL0_EQUAL_TO_VALUE;
            4 4 "Lock_Sel1_acq_eq" LOCK_SEL1_ACQ_EQ;
            5 5 "Lock_Sel1_acq_ge" LOCK_SEL1_ACQ_GE;
            6 6 "Lock_Sel1_rel" LOCK_SEL1_REL;
            7 7 "Lock_Sel1_equal_to_value" LOCK_SEL1_EQUAL_TO_VALUE;
            8 8 "Lock_Sel2_acq_eq" LOCK_SEL2_ACQ_EQ;
            9 9 "Lock_Sel2_acq_ge" LOCK_SEL2_ACQ_GE;
            10 10 "Lock_Sel2_rel" LOCK_SEL2_REL;
            11 11 "Lock_Sel2_equal_to_value" LOCK_SEL2_EQUAL_TO_VALUE;
            12 12 "Lock_Sel3_acq_eq" LOCK_SEL3_ACQ_EQ;
            13 13 "Lock_Sel3_acq_ge" LOCK_SEL3_ACQ_GE;
            14 14 "Lock_Sel3_rel" LOCK_SEL3_REL;
            15 15 "Lock_Sel3_equal_to_value" LOCK_SEL3_EQUAL_TO_VALUE;
            16 16 "Lock_Sel4_acq_eq" LOCK_SEL4_ACQ_EQ;
            17 17 "Lock_Sel4_acq_ge" LOCK_SEL4_ACQ_GE;
            18 18 "Lock_Sel4_rel" LOCK_SEL4_REL;
            19 19 "Lock_Sel4_equal_to_value" LOCK_SEL4_EQUAL_TO_VALUE;
            20 20 "Lock_Sel5_acq_eq" LOCK_SEL5_ACQ_EQ;
            21 21 "Lock_Sel5_acq_ge" LOCK_SEL5_ACQ_GE;
            22 22 "Lock_Sel5_rel" LOCK_SEL5_REL;
            23 23 "Lock_Sel5_equal_to_value" LOCK_SEL5_EQUAL_TO_VALUE;
            24 24 "Lock_Sel6_acq_eq" LOCK_SEL6_ACQ_EQ;
            25 25 "Lock_Sel6_acq_ge" LOCK_SEL6_ACQ_GE;
            26 26 "Lock_Sel6_rel" LOCK_SEL6_REL;
            27 27 "Lock_Sel6_equal_to_value" LOCK_SEL6_EQUAL_TO_VALUE;
            28 28 "Lock_Sel7_acq_eq" LOCK_SEL7_ACQ_EQ;
            29 29 "Lock_Sel7_acq_ge" LOCK_SEL7_ACQ_GE;
            30 30 "Lock_Sel7_rel" LOCK_SEL7_REL;
            31 31 "Lock_Sel7_equal_to_value" LOCK_SEL7_EQUAL_TO_VALUE;
        }
        0x14510 1 0x0 "Event_Group_Memory_Conflict_Enable" EVENT_GROUP_MEMORY_CONFLICT_ENABLE event_group_memory_conflict_enable {
            0 0 "Conflict_DM_Bank_0" CONFLICT_DM_BANK_0;
            1 1 "Conflict_DM_Bank_1" CONFLICT_DM_BANK_1;
            2 2 "Conflict_DM_Bank_2" CONFLICT_DM_BANK_2;
            3 3 "Conflict_DM_Bank_3" CONFLICT_DM_BANK_3;
            4 4 "Conflict_DM_Bank_4" CONFLICT_DM_BANK_4;
            5 5 "Conflict_DM_Bank_5" CONFLICT_DM_BANK_5;
            6 6 "Conflict_DM_Bank_6" CONFLICT_DM_BANK_6;
            7 7 "Conflict_DM_Bank_7" CONFLICT_DM_BANK_7;
        }
        0x14514 1 0x0 "Event_Group_Error_Enable" EVENT_GROUP_ERROR_ENABLE event_group_error_enable {
            0 0 "DM_ECC_Error_Scrub_Corrected" DM_ECC_ERROR_SCRUB_CORRECTED;
            1 1 "DM_ECC_Error_Scrub_2bit" DM_ECC_ERROR_SCRUB_2BIT;
            2 2 "DM_ECC_Error_1bit" DM_ECC_ERROR_1BIT;
            3 3 "DM_ECC_Error_2bit" DM_ECC_ERROR_2BIT;
            4 4 "DM_Parity_Error_Bank_2" DM_PARITY_ERROR_BANK_2;
            5 5 "DM_Parity_Error_Bank_3" DM_PARITY_ERROR_BANK_3;
            6 6 "DM_Parity_Error_Bank_4" DM_PARITY_ERROR_BANK_4;
            7 7 "DM_Parity_Error_Bank_5" DM_PARITY_ERROR_BANK_5;
            8 8 "DM_Parity_Error_Bank_6" DM_PARITY_ERROR_BANK_6;
            9 9 "DM_Parity_Error_Bank_7" DM_PARITY_ERROR_BANK_7;
            10 10 "DMA_S2MM_0_Error" DMA_S2MM_0_ERROR;
            11 11 "DMA_S2MM_1_Error" DMA_S2MM_1_ERROR;
            12 12 "DMA_MM2S_0_Error" DMA_MM2S_0_ERROR;
            13 13 "DMA_MM2S_1_Error" DMA_MM2S_1_ERROR;
            14 14 "Lock_Error" LOCK_ERROR;
            15 15 "DMA_Task_Token_Stall" DMA_TASK_TOKEN_STALL;
        }
        0x14518 1 0x0 "Event_Group_Broadcast_Enable" EVENT_GROUP_BROADCAST_ENABLE event_group_broadcast_enable {
            0 0 "Broadcast_0" BROADCAST_0;
            1 1 "Broadcast_1" BROADCAST_1;
            2 2 "Broadcast_2" BROADCAST_2;
            3 3 "Broadcast_3" BROADCAST_3;
            4 4 "Broadcast_4" BROADCAST_4;
            5 5 "Broadcast_5" BROADCAST_5;
            6 6 "Broadcast_6" BROADCAST_6;
            7 7 "Broadcast_7" BROADCAST_7;
            8 8 "Broadcast_8" BROADCAST_8;
            9 9 "Broadcast_9" BROADCAST_9;
            10 10 "Broadcast_10" BROADCAST_10;
            11 11 "Broadcast_11" BROADCAST_11;
            12 12 "Broadcast_12" BROADCAST_12;
            13 13 "Broadcast_13" BROADCAST_13;
            14 14 "Broadcast_14" BROADCAST_14;
            15 15 "Broadcast_15" BROADCAST_15;
        }
        0x1451c 1 0x0 "Event_Group_User_Event_Enable" EVENT_GROUP_USER_EVENT_ENABLE event_group_user_event_enable {
            0 0 "User_Event_0" USER_EVENT_0;
            1 1 "User_Event_1" USER_EVENT_1;
            2 2 "User_Event_2" USER_EVENT_2;
            3 3 "User_Event_3" USER_EVENT_3;
        }
        0x16010 1 0x0 "Memory_Control" MEMORY_CONTROL memory_control {
            0 0 "Memory_Zeroisation" MEMORY_ZEROISATION;
        }
        0x1d000 16 0x20 "DMA_BD{}_0" DMA_BDN_0 dma_bdn_0 {
            0 13 "Buffer_Length" BUFFER_LENGTH;
            14 27 "Base_Address" BASE_ADDRESS;
        }
        0x1d004 16 0x20 "DMA_BD{}_1" DMA_BDN_1 dma_bdn_1 {
            16 18 "Packet_Type" PACKET_TYPE;
            19 23 "Packet_ID" PACKET_ID;
            24 29 "Out_Of_Order_BD_ID" OUT_OF_ORDER_BD_ID;
            30 30 "Enable_Packet" ENABLE_PACKET;
            31 31 "Enable_Compression" ENABLE_COMPRESSION;
        }
        0x1d008 16 0x20 "DMA_BD{}_2" DMA_BDN_2 dma_bdn_2 {
            0 12 "D0_Stepsize" D0_STEPSIZE;
            13 25 "D1_Stepsize" D1_STEPSIZE;
        }
        0x1d00c 16 0x20 "DMA_BD{}_3" DMA_BDN_3 dma_bdn_3 {
            0 12 "D2_Stepsize" D2_STEPSIZE;
            13 20 "D0_Wrap" D0_WRAP;
            21 28 "D1_Wrap" D1_WRAP;
        }
        0x1d010 16 0x20 "DMA_BD{}_4" DMA_BDN_4 dma_bdn_4 {
            0 12 "Iteration_Stepsize" ITERATION_STEPSIZE;
            13 18 "Iteration_Wrap" ITERATION_WRAP;
            19 24 "Iteration_Current" ITERATION_CURRENT;
        }
        0x1d014 16 0x20 "DMA_BD{}_5" DMA_BDN_5 dma_bdn_5 {
            0 3 "Lock_Acq_ID" LOCK_ACQ_ID;
            5 11 "Lock_Acq_Value" LOCK_ACQ_VALUE;
            12 12 "Lock_Acq_Enable" LOCK_ACQ_ENABLE;
            13 16 "Lock_Rel_ID" LOCK_REL_ID;
            18 24 "Lock_Rel_Value" LOCK_REL_VALUE;
            25 25 "Valid_BD" VALID_BD;
            26 26 "Use_Next_BD" USE_NEXT_BD;
            27 30 "Next_BD" NEXT_BD;
            31 31 "TLAST_Suppress" TLAST_SUPPRESS;
        }
        0x1de00 2 0x8 "DMA_S2MM_{}_Ctrl" DMA_S2MM_N_CTRL dma_s2mm_n_ctrl {
            0 0 "Reserved" RESERVED;
            1 1 "Reset" RESET;
            3 3 "Enable_Out_of_Order" ENABLE_OUT_OF_ORDER;
            4 4 "Decompression_Enable" DECOMPRESSION_ENABLE;
            8 15 "Controller_ID" CONTROLLER_ID;
            16 17 "FoT_Mode" FOT_MODE;
        }
        0x1de04 2 0x8 "DMA_S2MM_{}_Start_Queue" DMA_S2MM_N_START_QUEUE dma_s2mm_n_start_queue {
            0 3 "Start_BD_ID" START_BD_ID;
            16 23 "Repeat_Count" REPEAT_COUNT;
            31 31 "Enable_Token_Issue" ENABLE_TOKEN_ISSUE;
        }
        0x1de10 2 0x8 "DMA_MM2S_{}_Ctrl" DMA_MM2S_N_CTRL dma_mm2s_n_ctrl {
            0 0 "Reserved" RESERVED;
            1 1 "Reset" RESET;
            4 4 "Compression_Enable" COMPRESSION_ENABLE;
            8 15 "Controller_ID" CONTROLLER_ID;
        }
        0x1de14 2 0x8 "DMA_MM2S_{}_Start_Queue" DMA_MM2S_N_START_QUEUE dma_mm2s_n_start_queue {
            0 3 "Start_BD_ID" START_BD_ID;
            16 23 "Repeat_Count" REPEAT_COUNT;
            31 31 "Enable_Token_Issue" ENABLE_TOKEN_ISSUE;
        }
        0x1df00 2 0x4 "DMA_S2MM_Status_{}" DMA_S2MM_STATUS_N dma_s2mm_status_n {
            0 1 "Status" STATUS;
            2 2 "Stalled_Lock_Acq" STALLED_LOCK_ACQ;
            3 3 "Stalled_Lock_Rel" STALLED_LOCK_REL;
            4 4 "Stalled_Stream_Starvation" STALLED_STREAM_STARVATION;
            5 5 "Stalled_TCT_or_Count_FIFO_Full" STALLED_TCT_OR_COUNT_FIFO_FULL;
            10 10 "Error_BD_Unavailable" ERROR_BD_UNAVAILABLE;
            11 11 "Error_BD_Invalid" ERROR_BD_INVALID;
            12 12 "Error_FoT_Length_Exceeded" ERROR_FOT_LENGTH_EXCEEDED;
            13 13 "Error_FoT_BDs_per_Task" ERROR_FOT_BDS_PER_TASK;
            18 18 "Task_Queue_Overflow" TASK_QUEUE_OVERFLOW;
            19 19 "Channel_Running" CHANNEL_RUNNING;
            20 22 "Task_Queue_Size" TASK_QUEUE_SIZE;
            24 27 "Cur_BD" CUR_BD;
        }
        0x1df10 2 0x4 "DMA_MM2S_Status_{}" DMA_MM2S_STATUS_N dma_mm2s_status_n {
            0 1 "Status" STATUS;
            2 2 "Stalled_Lock_Acq" STALLED_LOCK_ACQ;
            3 3 "Stalled_Lock_Rel" STALLED_LOCK_REL;
            4 4 "Stalled_Stream_Backpressure" STALLED_STREAM_BACKPRESSURE;
            5 5 "Stalled_TCT" STALLED_TCT;
            11 11 "Error_BD_Invalid" ERROR_BD_INVALID;
            18 18 "Task_Queue_Overflow" TASK_QUEUE_OVERFLOW;
            19 19 "Channel_Running" CHANNEL_RUNNING;
            20 22 "Task_Queue_Size" TASK_QUEUE_SIZE;
            24 27 "Cur_BD" CUR_BD;
        }
        0x1df18 2 0x4 "DMA_S2MM_Current_Write_Count_{}" DMA_S2MM_CURRENT_WRITE_COUNT_N dma_s2mm_current_write_count_n {
            0 13 "Current_Write_Count" CURRENT_WRITE_COUNT;
        }
        0x1df20 2 0x4 "DMA_S2MM_FoT_Count_FIFO_Pop_{}" DMA_S2MM_FOT_COUNT_FIFO_POP_N dma_s2mm_fot_count_fifo_pop_n {
            0 17 "Write_Count" WRITE_COUNT;
            24 29 "BD_ID" BD_ID;
            30 30 "Last_in_Task" LAST_IN_TASK;
            31 31 "Valid" VALID;
        }
        0x1f000 16 0x10 "Lock{}_value" LOCKN_VALUE lockn_value {
            0 5 "Lock_value" LOCK_VALUE;
        }
        0x1f100 8 0x4 "Locks_Event_Selection_{}" LOCKS_EVENT_SELECTION_N locks_event_selection_n {
            0 5 "Lock_Value" LOCK_VALUE;
            16 19 "Lock_Select" LOCK_SELECT;
        }
        0x1f120 1 0x0 "Locks_Overflow" LOCKS_OVERFLOW locks_overflow {
            0 0 "Lock_Overflow_0" LOCK_OVERFLOW_0;
            1 1 "Lock_Overflow_1" LOCK_OVERFLOW_1;
            2 2 "Lock_Overflow_2" LOCK_OVERFLOW_2;
            3 3 "Lock_Overflow_3" LOCK_OVERFLOW_3;
            4 4 "Lock_Overflow_4" LOCK_OVERFLOW_4;
            5 5 "Lock_Overflow_5" LOCK_OVERFLOW_5;
            6 6 "Lock_Overflow_6" LOCK_OVERFLOW_6;
            7 7 "Lock_Overflow_7" LOCK_OVERFLOW_7;
            8 8 "Lock_Overflow_8" LOCK_OVERFLOW_8;
            9 9 "Lock_Overflow_9" LOCK_OVERFLOW_9;
            10 10 "Lock_Overflow_10" LOCK_OVERFLOW_10;
            11 11 "Lock_Overflow_11" LOCK_OVERFLOW_11;
            12 12 "Lock_Overflow_12" LOCK_OVERFLOW_12;
            13 13 "Lock_Overflow_13" LOCK_OVERFLOW_13;
            14 14 "Lock_Overflow_14" LOCK_OVERFLOW_14;
            15 15 "Lock_Overflow_15" LOCK_OVERFLOW_15;
        }
        0x1f128 1 0x0 "Locks_Underflow" LOCKS_UNDERFLOW locks_underflow {
            0 0 "Lock_Underflow_0" LOCK_UNDERFLOW_0;
            1 1 "Lock_Underflow_1" LOCK_UNDERFLOW_1;
            2 2 "Lock_Underflow_2" LOCK_UNDERFLOW_2;
            3 3 "Lock_Underflow_3" LOCK_UNDERFLOW_3;
            4 4 "Lock_Underflow_4" LOCK_UNDERFLOW_4;
            5 5 "Lock_Underflow_5" LOCK_UNDERFLOW_5;
            6 6 "Lock_Underflow_6" LOCK_UNDERFLOW_6;
            7 7 "Lock_Underflow_7" LOCK_UNDERFLOW_7;
            8 8 "Lock_Underflow_8" LOCK_UNDERFLOW_8;
            9 9 "Lock_Underflow_9" LOCK_UNDERFLOW_9;
            10 10 "Lock_Underflow_10" LOCK_UNDERFLOW_10;
            11 11 "Lock_Underflow_11" LOCK_UNDERFLOW_11;
            12 12 "Lock_Underflow_12" LOCK_UNDERFLOW_12;
            13 13 "Lock_Underflow_13" LOCK_UNDERFLOW_13;
            14 14 "Lock_Underflow_14" LOCK_UNDERFLOW_14;
            15 15 "Lock_Underflow_15" LOCK_UNDERFLOW_15;
        }
        0x40000 1 0x0 "Lock_Request" LOCK_REQUEST lock_request {
            0 0 "Request_Result" REQUEST_RESULT;
        }
    }
    MemoryTile memory_tile {
        0x91000 1 0x0 "Performance_Control0" PERFORMANCE_CONTROL0 performance_control0 {
            0 7 "Cnt0_Start_Event" CNT0_START_EVENT;
            8 15 "Cnt0_Stop_Event" CNT0_STOP_EVENT;
            16 23 "Cnt1_Start_Event" CNT1_START_EVENT;
            24 31 "Cnt1_Stop_Event" CNT1_STOP_EVENT;
        }
        0x91004 1 0x0 "Performance_Control1" PERFORMANCE_CONTROL1 performance_control1 {
            0 7 "Cnt2_Start_Event" CNT2_START_EVENT;
            8 15 "Cnt2_Stop_Event" CNT2_STOP_EVENT;
            16 23 "Cnt3_Start_Event" CNT3_START_EVENT;
            24 31 "Cnt3_Stop_Event" CNT3_STOP_EVENT;
        }
        0x91008 1 0x0 "Performance_Control2" PERFORMANCE_CONTROL2 performance_control2 {
            0 7 "Cnt0_Reset_Event" CNT0_RESET_EVENT;
            8 15 "Cnt1_Reset_Event" CNT1_RESET_EVENT;
            16 23 "Cnt2_Reset_Event" CNT2_RESET_EVENT;
            24 31 "Cnt3_Reset_Event" CNT3_RESET_EVENT;
        }
        0x91020 1 0x0 "Performance_Counter0" PERFORMANCE_COUNTER0 performance_counter0 {
            0 31 "Counter0_Value" COUNTER0_VALUE;
        }
        0x91024 1 0x0 "Performance_Counter1" PERFORMANCE_COUNTER1 performance_counter1 {
            0 31 "Counter1_Value" COUNTER1_VALUE;
        }
        0x91028 1 0x0 "Performance_Counter2" PERFORMANCE_COUNTER2 performance_counter2 {
            0 31 "Counter2_Value" COUNTER2_VALUE;
        }
        0x9102c 1 0x0 "Performance_Counter3" PERFORMANCE_COUNTER3 performance_counter3 {
            0 31 "Counter3_Value" COUNTER3_VALUE;
        }
        0x91080 1 0x0 "Performance_Counter0_Event_Value" PERFORMANCE_COUNTER0_EVENT_VALUE performance_counter0_event_value {
            0 31 "Counter0_Event_Value" COUNTER0_EVENT_VALUE;
        }
        0x91084 1 0x0 "Performance_Counter1_Event_Value" PERFORMANCE_COUNTER1_EVENT_VALUE performance_counter1_event_value {
            0 31 "Counter1_Event_Value" COUNTER1_EVENT_VALUE;
        }
        0x91088 1 0x0 "Performance_Counter2_Event_Value" PERFORMANCE_COUNTER2_EVENT_VALUE performance_counter2_event_value {
            0 31 "Counter2_Event_Value" COUNTER2_EVENT_VALUE;
        }
        0x9108c 1 0x0 "Performance_Counter3_Event_Value" PERFORMANCE_COUNTER3_EVENT_VALUE performance_counter3_event_value {
            0 31 "Counter3_Event_Value" COUNTER3_EVENT_VALUE;
        }
        0x94000 1 0x0 "Timer_Control" TIMER_CONTROL timer_control {
            8 15 "Reset_Event" RESET_EVENT;
            31 31 "Reset" RESET;
        }
        0x94008 1 0x0 "Event_Generate" EVENT_GENERATE event_generate {
            0 7 "Event" EVENT;
        }
        0x94010 16 0x4 "Event_Broadcast{}" EVENT_BROADCASTN event_broadcastn {
            0 7 "Event" EVENT;
        }
        0x94050 1 0x0 "Event_Broadcast_A_Block_South_Set" EVENT_BROADCAST_A_BLOCK_SOUTH_SET event_broadcast_a_block_south_set {
            0 15 "Set" SET;
        }
        0x94054 1 0x0 "Event_Broadcast_A_Block_South_Clr" EVENT_BROADCAST_A_BLOCK_SOUTH_CLR event_broadcast_a_block_south_clr {
            0 15 "Clear" CLEAR;
        }
        0x94058 1 0x0 "Event_Broadcast_A_Block_South_Value" EVENT_BROADCAST_A_BLOCK_SOUTH_VALUE event_broadcast_a_block_south_value {
            0 15 "Value" VALUE;
        }
        0x94060 1 0x0 "Event_Broadcast_A_Block_West_Set" EVENT_BROADCAST_A_BLOCK_WEST_SET event_broadcast_a_block_west_set {
            0 15 "Set" SET;
        }
        0x94064 1 0x0 "Event_Broadcast_A_Block_West_Clr" EVENT_BROADCAST_A_BLOCK_WEST_CLR event_broadcast_a_block_west_clr {
            0 15 "Clear" CLEAR;
        }
        0x94068 1 0x0 "Event_Broadcast_A_Block_West_Value" EVENT_BROADCAST_A_BLOCK_WEST_VALUE event_broadcast_a_block_west_value {
            0 15 "Value" VALUE;
        }
        0x94070 1 0x0 "Event_Broadcast_A_Block_North_Set" EVENT_BROADCAST_A_BLOCK_NORTH_SET event_broadcast_a_block_north_set {
            0 15 "Set" SET;
        }
        0x94074 1 0x0 "Event_Broadcast_A_Block_North_Clr" EVENT_BROADCAST_A_BLOCK_NORTH_CLR event_broadcast_a_block_north_clr {
            0 15 "Clear" CLEAR;
        }
        0x94078 1 0x0 "Event_Broadcast_A_Block_North_Value" EVENT_BROADCAST_A_BLOCK_NORTH_VALUE event_broadcast_a_block_north_value {
            0 15 "Value" VALUE;
        }
        0x94080 1 0x0 "Event_Broadcast_A_Block_East_Set" EVENT_BROADCAST_A_BLOCK_EAST_SET event_broadcast_a_block_east_set {
            0 15 "Set" SET;
        }
        0x94084 1 0x0 "Event_Broadcast_A_Block_East_Clr" EVENT_BROADCAST_A_BLOCK_EAST_CLR event_broadcast_a_block_east_clr {
            0 15 "Clear" CLEAR;
        }
        0x94088 1 0x0 "Event_Broadcast_A_Block_East_Value" EVENT_BROADCAST_A_BLOCK_EAST_VALUE event_broadcast_a_block_east_value {
            0 15 "Value" VALUE;
        }
        0x94090 1 0x0 "Event_Broadcast_B_Block_South_Set" EVENT_BROADCAST_B_BLOCK_SOUTH_SET event_broadcast_b_block_south_set {
            0 15 "Set" SET;
        }
        0x94094 1 0x0 "Event_Broadcast_B_Block_South_Clr" EVENT_BROADCAST_B_BLOCK_SOUTH_CLR event_broadcast_b_block_south_clr {
            0 15 "Clear" CLEAR;
        }
        0x94098 1 0x0 "Event_Broadcast_B_Block_South_Value" EVENT_BROADCAST_B_BLOCK_SOUTH_VALUE event_broadcast_b_block_south_value {
            0 15 "Value" VALUE;
        }
        0x940a0 1 0x0 "Event_Broadcast_B_Block_West_Set" EVENT_BROADCAST_B_BLOCK_WEST_SET event_broadcast_b_block_west_set {
            0 15 "Set" SET;
        }
        0x940a4 1 0x0 "Event_Broadcast_B_Block_West_Clr" EVENT_BROADCAST_B_BLOCK_WEST_CLR event_broadcast_b_block_west_clr {
            0 15 "Clear" CLEAR;
        }
        0x940a8 1 0x0 "Event_Broadcast_B_Block_West_Value" EVENT_BROADCAST_B_BLOCK_WEST_VALUE event_broadcast_b_block_west_value {
            0 15 "Value" VALUE;
        }
        0x940b0 1 0x0 "Event_Broadcast_B_Block_North_Set" EVENT_BROADCAST_B_BLOCK_NORTH_SET event_broadcast_b_block_north_set {
            0 15 "Set" SET;
        }
        0x940b4 1 0x0 "Event_Broadcast_B_Block_North_Clr" EVENT_BROADCAST_B_BLOCK_NORTH_CLR event_broadcast_b_block_north_clr {
            0 15 "Clear" CLEAR;
        }
        0x940b8 1 0x0 "Event_Broadcast_B_Block_North_Value" EVENT_BROADCAST_B_BLOCK_NORTH_VALUE event_broadcast_b_block_north_value {
            0 15 "Value" VALUE;
        }
        0x940c0 1 0x0 "Event_Broadcast_B_Block_East_Set" EVENT_BROADCAST_B_BLOCK_EAST_SET event_broadcast_b_block_east_set {
            0 15 "Set" SET;
        }
        0x940c4 1 0x0 "Event_Broadcast_B_Block_East_Clr" EVENT_BROADCAST_B_BLOCK_EAST_CLR event_broadcast_b_block_east_clr {
            0 15 "Clear" CLEAR;
        }
        0x940c8 1 0x0 "Event_Broadcast_B_Block_East_Value" EVENT_BROADCAST_B_BLOCK_EAST_VALUE event_broadcast_b_block_east_value {
            0 15 "Value" VALUE;
        }
        0x940d0 1 0x0 "Trace_Control0" TRACE_CONTROL0 trace_control0 {
            16 23 "Trace_Start_Event" TRACE_START_EVENT;
            24 31 "Trace_Stop_Event" TRACE_STOP_EVENT;
        }
        0x940d4 1 0x0 "Trace_Control1" TRACE_CONTROL1 trace_control1 {
            0 4 "ID" ID;
            12 14 "Packet_Type" PACKET_TYPE;
        }
        0x940d8 1 0x0 "Trace_Status" TRACE_STATUS trace_status {
            0 2 "Mode" MODE;
            8 9 "State" STATE;
        }
        0x940e0 1 0x0 "Trace_Event0" TRACE_EVENT0 trace_event0 {
            0 7 "Trace_Event0" TRACE_EVENT0;
            8 15 "Trace_Event1" TRACE_EVENT1;
            16 23 "Trace_Event2" TRACE_EVENT2;
            24 31 "Trace_Event3" TRACE_EVENT3;
        }
        0x940e4 1 0x0 "Trace_Event1" TRACE_EVENT1 trace_event1 {
            0 7 "Trace_Event4" TRACE_EVENT4;
            8 15 "Trace_Event5" TRACE_EVENT5;
            16 23 "Trace_Event6" TRACE_EVENT6;
            24 31 "Trace_Event7" TRACE_EVENT7;
        }
        0x940f0 1 0x0 "Timer_Trig_Event_Low_Value" TIMER_TRIG_EVENT_LOW_VALUE timer_trig_event_low_value {
            0 31 "TimerTrigLow" TIMERTRIGLOW;
        }
        0x940f4 1 0x0 "Timer_Trig_Event_High_Value" TIMER_TRIG_EVENT_HIGH_VALUE timer_trig_event_high_value {
            0 31 "TimerTrigHigh" TIMERTRIGHIGH;
        }
        0x940f8 1 0x0 "Timer_Low" TIMER_LOW timer_low {
            0 31 "TimerLow" TIMERLOW;
        }
        0x940fc 1 0x0 "Timer_High" TIMER_HIGH timer_high {
            0 31 "TimerHigh" TIMERHIGH;
        }
        0x94200 1 0x0 "Event_Status0" EVENT_STATUS0 event_status0 {
            0 31 "Event_31_0_Status" EVENT_31_0_STATUS;
        }
        0x94204 1 0x0 "Event_Status1" EVENT_STATUS1 event_status1 {
            0 31 "Event_63_32_Status" EVENT_63_32_STATUS;
        }
        0x94208 1 0x0 "Event_Status2" EVENT_STATUS2 event_status2 {
            0 31 "Event_95_64_Status" EVENT_95_64_STATUS;
        }
        0x9420c 1 0x0 "Event_Status3" EVENT_STATUS3 event_status3 {
            0 31 "Event_127_96_Status" EVENT_127_96_STATUS;
        }
        0x94210 1 0x0 "Event_Status4" EVENT_STATUS4 event_status4 {
            0 31 "Event_159_128_Status" EVENT_159_128_STATUS;
        }
        0x94214 1 0x0 "Event_Status5" EVENT_STATUS5 event_status5 {
            0 31 "Event_191_160_Status" EVENT_191_160_STATUS;
        }
        0x94400 1 0x0 "Combo_event_inputs" COMBO_EVENT_INPUTS combo_event_inputs {
            0 7 "eventA" EVENTA;
            8 15 "eventB" EVENTB;
            16 23 "eventC" EVENTC;
            24 31 "eventD" EVENTD;
        }
        0x94404 1 0x0 "Combo_event_control" COMBO_EVENT_CONTROL combo_event_control {
            0 1 "combo0" COMBO0;
            8 9 "combo1" COMBO1;
            16 17 "combo2" COMBO2;
        }
        0x94408 1 0x0 "Edge_Detection_event_control" EDGE_DETECTION_EVENT_CONTROL edge_detection_event_control {
            0 7 "Edge_Detection_Event_0" EDGE_DETECTION_EVENT_0;
            9 9 "Edge_Detection_0_Trigger_Rising" EDGE_DETECTION_0_TRIGGER_RISING;
            10 10 "Edge_Detection_0_Trigger_Falling" EDGE_DETECTION_0_TRIGGER_FALLING;
            16 23 "Edge_Detection_Event_1" EDGE_DETECTION_EVENT_1;
            25 25 "Edge_Detection_1_Trigger_Rising" EDGE_DETECTION_1_TRIGGER_RISING;
            26 26 "Edge_Detection_1_Trigger_Falling" EDGE_DETECTION_1_TRIGGER_FALLING;
        }
        0x94500 1 0x0 "Event_Group_0_Enable" EVENT_GROUP_0_ENABLE event_group_0_enable {
            0 0 "Timer_Sync" TIMER_SYNC;
            1 1 "Timer_Value_Reached" TIMER_VALUE_REACHED;
            2 2 "Perf_Cnt0_Event" PERF_CNT0_EVENT;
            3 3 "Perf_Cnt1_Event" PERF_CNT1_EVENT;
            4 4 "Perf_Cnt2_Event" PERF_CNT2_EVENT;
            5 5 "Perf_Cnt3_Event" PERF_CNT3_EVENT;
            6 6 "Combo_Event_0" COMBO_EVENT_0;
            7 7 "Combo_Event_1" COMBO_EVENT_1;
            8 8 "Combo_Event_2" COMBO_EVENT_2;
            9 9 "Combo_Event_3" COMBO_EVENT_3;
            10 10 "Edge_Detection_Event_0" EDGE_DETECTION_EVENT_0;
            11 11 "Edge_Detection_Event_1" EDGE_DETECTION_EVENT_1;
        }
        0x94504 1 0x0 "Event_Group_Watchpoint_Enable" EVENT_GROUP_WATCHPOINT_ENABLE event_group_watchpoint_enable {
            0 0 "Watchpoint_0" WATCHPOINT_0;
            1 1 "Watchpoint_1" WATCHPOINT_1;
            2 2 "Watchpoint_2" WATCHPOINT_2;
            3 3 "Watchpoint_3" WATCHPOINT_3;
        }
        0x94508 1 0x0 "Event_Group_DMA_Enable" EVENT_GROUP_DMA_ENABLE event_group_dma_enable {
            0 0 "DMA_S2MM_Sel0_start_task" DMA_S2MM_SEL0_START_TASK;
            1 1 "DMA_S2MM_Sel1_start_task" DMA_S2MM_SEL1_START_TASK;
            2 2 "DMA_MM2S_Sel0_start_task" DMA_MM2S_SEL0_START_TASK;
            3 3 "DMA_MM2S_Sel1_start_task" DMA_MM2S_SEL1_START_TASK;
            4 4 "DMA_S2MM_Sel0_finished_BD" DMA_S2MM_SEL0_FINISHED_BD;
            5 5 "DMA_S2MM_Sel1_finished_BD" DMA_S2MM_SEL1_FINISHED_BD;
            6 6 "DMA_MM2S_Sel0_finished_BD" DMA_MM2S_SEL0_FINISHED_BD;
            7 7 "DMA_MM2S_Sel1_finished_BD" DMA_MM2S_SEL1_FINISHED_BD;
            8 8 "DMA_S2MM_Sel0_finished_task" DMA_S2MM_SEL0_FINISHED_TASK;
            9 9 "DMA_S2MM_Sel1_finished_task" DMA_S2MM_SEL1_FINISHED_TASK;
            10 10 "DMA_MM2S_Sel0_finished_task" DMA_MM2S_SEL0_FINISHED_TASK;
            11 11 "DMA_MM2S_Sel1_finished_task" DMA_MM2S_SEL1_FINISHED_TASK;
            12 12 "DMA_S2MM_Sel0_stalled_lock_acquire" DMA_S2MM_SEL0_STALLED_LOCK_ACQUIRE;
            13 13 "DMA_S2MM_Sel1_stalled_lock_acquire" DMA_S2MM_SEL1_STALLED_LOCK_ACQUIRE;
            14 14 "DMA_MM2S_Sel0_stalled_lock_acquire" DMA_MM2S_SEL0_STALLED_LOCK_ACQUIRE;
            15 15 "DMA_MM2S_Sel1_stalled_lock_acquire" DMA_MM2S_SEL1_STALLED_LOCK_ACQUIRE;
            16 16 "DMA_S2MM_Sel0_stream_starvation" DMA_S2MM_SEL0_STREAM_STARVATION;
            17 17 "DMA_S2MM_Sel1_stream_starvation" DMA_S2MM_SEL1_STREAM_STARVATION;
            18 18 "DMA_MM2S_Sel0_stream_backpressure" DMA_MM2S_SEL0_STREAM_BACKPRESSURE;
            19 19 "DMA_MM2S_Sel1_stream_backpressure" DMA_MM2S_SEL1_STREAM_BACKPRESSURE;
            20 20 "DMA_S2MM_Sel0_memory_backpressure" DMA_S2MM_SEL0_MEMORY_BACKPRESSURE;
            21 21 "DMA_S2MM_Sel1_memory_backpressure" DMA_S2MM_SEL1_MEMORY_BACKPRESSURE;
            22 22 "DMA_MM2S_Sel0_memory_starvation" DMA_MM2S_SEL0_MEMORY_STARVATION;
            23 23 "DMA_MM2S_Sel1_memory_starvation" DMA_MM2S_SEL1_MEMORY_STARVATION;
        }
        0x9450c 1 0x0 "Event_Group_Lock_Enable" EVENT_GROUP_LOCK_ENABLE event_group_lock_enable {
            0 0 "Lock_Sel0_acq_eq" LOCK_SEL0_ACQ_EQ;
            1 1 "Lock_Sel0_acq_ge" LOCK_SEL0_ACQ_GE;
            2 2 "Lock_Sel0_rel" LOCK_SEL0_REL;
            3 3 "Lock_Sel0_equal_to_value" LOCK_SEL0_EQUAL_TO_VALUE;
            4 4 "Lock_Sel1_acq_eq" LOCK_SEL1_ACQ_EQ;
            5 5 "Lock_Sel1_acq_ge" LOCK_SEL1_ACQ_GE;
            6 6 "Lock_Sel1_rel" LOCK_SEL1_REL;
            7 7 "Lock_Sel1_equal_to_value" LOCK_SEL1_EQUAL_TO_VALUE;
            8 8 "Lock_Sel2_acq_eq" LOCK_SEL2_ACQ_EQ;
            9 9 "Lock_Sel2_acq_ge" LOCK_SEL2_ACQ_GE;
            10 10 "Lock_Sel2_rel" LOCK_SEL2_REL;
            11 11 "Lock_Sel2_equal_to_value" LOCK_SEL2_EQUAL_TO_VALUE;
            12 12 "Lock_Sel3_acq_eq" LOCK_SEL3_ACQ_EQ;
            13 13 "Lock_Sel3_acq_ge" LOCK_SEL3_ACQ_GE;
            14 14 "Lock_Sel3_rel" LOCK_SEL3_REL;
            15 15 "Lock_Sel3_equal_to_value" LOCK_SEL3_EQUAL_TO_VALUE;
            16 16 "Lock_Sel4_acq_eq" LOCK_SEL4_ACQ_EQ;
            17 17 "Lock_Sel4_acq_ge" LOCK_SEL4_ACQ_GE;
            18 18 "Lock_Sel4_rel" LOCK_SEL4_REL;
            19 19 "Lock_Sel4_equal_to_value" LOCK_SEL4_EQUAL_TO_VALUE;
            20 20 "Lock_Sel5_acq_eq" LOCK_SEL5_ACQ_EQ;
            21 21 "Lock_Sel5_acq_ge" LOCK_SEL5_ACQ_GE;
            22 22 "Lock_Sel5_rel" LOCK_SEL5_REL;
            23 23 "Lock_Sel5_equal_to_value" LOCK_SEL5_EQUAL_TO_VALUE;
            24 24 "Lock_Sel6_acq_eq" LOCK_SEL6_ACQ_EQ;
            25 25 "Lock_Sel6_acq_ge" LOCK_SEL6_ACQ_GE;
            26 26 "Lock_Sel6_rel" LOCK_SEL6_REL;
            27 27 "Lock_Sel6_equal_to_value" LOCK_SEL6_EQUAL_TO_VALUE;
            28 28 "Lock_Sel7_acq_eq" LOCK_SEL7_ACQ_EQ;
            29 29 "Lock_Sel7_acq_ge" LOCK_SEL7_ACQ_GE;
            30 30 "Lock_Sel7_rel" LOCK_SEL7_REL;
            31 31 "Lock_Sel7_equal_to_value" LOCK_SEL7_EQUAL_TO_VALUE;
        }
        0x94510 1 0x0 "Event_Group_Stream_Switch_Enable" EVENT_GROUP_STREAM_SWITCH_ENABLE event_group_stream_switch_enable {
            0 0 "Port_Idle_0" PORT_IDLE_0;
            1 1 "Port_Running_0" PORT_RUNNING_0;
            2 2 "Port_Stalled_0" PORT_STALLED_0;
            3 3 "Port_TLAST_0" PORT_TLAST_0;
            4 4 "Port_Idle_1" PORT_IDLE_1;
            5 5 "Port_Running_1" PORT_RUNNING_1;
            6 6 "Port_Stalled_1" PORT_STALLED_1;
            7 7 "Port_TLAST_1" PORT_TLAST_1;
            8 8 "Port_Idle_2" PORT_IDLE_2;
            9 9 "Port_Running_2" PORT_RUNNING_2;
            10 10 "Port_Stalled_2" PORT_STALLED_2;
            11 11 "Port_TLAST_2" PORT_TLAST_2;
            12 12 "Port_Idle_3" PORT_IDLE_3;
            13 13 "Port_Running_3" PORT_RUNNING_3;
            14 14 "Port_Stalled_3" PORT_STALLED_3;
            15 15 "Port_TLAST_3" PORT_TLAST_3;
            16 16 "Port_Idle_4" PORT_IDLE_4;
            17 17 "Port_Running_4" PORT_RUNNING_4;
            18 18 "Port_Stalled_4" PORT_STALLED_4;
            19 19 "Port_TLAST_4" PORT_TLAST_4;
            20 20 "Port_Idle_5" PORT_IDLE_5;
            21 21 "Port_Running_5" PORT_RUNNING_5;
            22 22 "Port_Stalled_5" PORT_STALLED_5;
            23 23 "Port_TLAST_5" PORT_TLAST_5;
            24 24 "Port_Idle_6" PORT_IDLE_6;
            25 25 "Port_Running_6" PORT_RUNNING_6;
            26 26 "Port_Stalled_6" PORT_STALLED_6;
            27 27 "Port_TLAST_6" PORT_TLAST_6;
            28 28 "Port_Idle_7" PORT_IDLE_7;
            29 29 "Port_Running_7" PORT_RUNNING_7;
            30 30 "Port_Stalled_7" PORT_STALLED_7;
            31 31 "Port_TLAST_7" PORT_TLAST_7;
        }
        0x94514 1 0x0 "Event_Group_Memory_Conflict_Enable" EVENT_GROUP_MEMORY_CONFLICT_ENABLE event_group_memory_conflict_enable {
            0 0 "Conflict_DM_Bank_0" CONFLICT_DM_BANK_0;
            1 1 "Conflict_DM_Bank_1" CONFLICT_DM_BANK_1;
            2 2 "Conflict_DM_Bank_2" CONFLICT_DM_BANK_2;
            3 3 "Conflict_DM_Bank_3" CONFLICT_DM_BANK_3;
            4 4 "Conflict_DM_Bank_4" CONFLICT_DM_BANK_4;
            5 5 "Conflict_DM_Bank_5" CONFLICT_DM_BANK_5;
            6 6 "Conflict_DM_Bank_6" CONFLICT_DM_BANK_6;
            7 7 "Conflict_DM_Bank_7" CONFLICT_DM_BANK_7;
            8 8 "Conflict_DM_Bank_8" CONFLICT_DM_BANK_8;
            9 9 "Conflict_DM_Bank_9" CONFLICT_DM_BANK_9;
            10 10 "Conflict_DM_Bank_10" CONFLICT_DM_BANK_10;
            11 11 "Conflict_DM_Bank_11" CONFLICT_DM_BANK_11;
            12 12 "Conflict_DM_Bank_12" CONFLICT_DM_BANK_12;
            13 13 "Conflict_DM_Bank_13" CONFLICT_DM_BANK_13;
            14 14 "Conflict_DM_Bank_14" CONFLICT_DM_BANK_14;
            15 15 "Conflict_DM_Bank_15" CONFLICT_DM_BANK_15;
        }
        0x94518 1 0x0 "Event_Group_Error_Enable" EVENT_GROUP_ERROR_ENABLE event_group_error_enable {
            0 0 "DM_ECC_Error_Scrub_Corrected" DM_ECC_ERROR_SCRUB_CORRECTED;
            1 1 "DM_ECC_Error_Scrub_2bit" DM_ECC_ERROR_SCRUB_2BIT;
            2 2 "DM_ECC_Error_1bit" DM_ECC_ERROR_1BIT;
            3 3 "DM_ECC_Error_2bit" DM_ECC_ERROR_2BIT;
            4 4 "DMA_S2MM_Error" DMA_S2MM_ERROR;
            5 5 "DMA_MM2S_Error" DMA_MM2S_ERROR;
            6 6 "Stream_Switch_Port_Parity_Error" STREAM_SWITCH_PORT_PARITY_ERROR;
            7 7 "Stream_Pkt_Parity_Error" STREAM_PKT_PARITY_ERROR;
            8 8 "Control_Pkt_Error" CONTROL_PKT_ERROR;
            9 9 "AXI_MM_Slave_Error" AXI_MM_SLAVE_ERROR;
            10 10 "Lock_Error" LOCK_ERROR;
            11 11 "DMA_Task_Token_Stall" DMA_TASK_TOKEN_STALL;
        }
        0x9451c 1 0x0 "Event_Group_Broadcast_Enable" EVENT_GROUP_BROADCAST_ENABLE event_group_broadcast_enable {
            0 0 "Broadcast_A_0" BROADCAST_A_0;
            1 1 "Broadcast_A_1" BROADCAST_A_1;
            2 2 "Broadcast_A_2" BROADCAST_A_2;
            3 3 "Broadcast_A_3" BROADCAST_A_3;
            4 4 "Broadcast_A_4" BROADCAST_A_4;
            5 5 "Broadcast_A_5" BROADCAST_A_5;
            6 6 "Broadcast_A_6" BROADCAST_A_6;
            7 7 "Broadcast_A_7" BROADCAST_A_7;
            8 8 "Broadcast_A_8" BROADCAST_A_8;
            9 9 "Broadcast_A_9" BROADCAST_A_9;
            10 10 "Broadcast_A_10" BROADCAST_A_10;
            11 11 "Broadcast_A_11" BROADCAST_A_11;
            12 12 "Broadcast_A_12" BROADCAST_A_12;
            13 13 "Broadcast_A_13" BROADCAST_A_13;
            14 14 "Broadcast_A_14" BROADCAST_A_14;
            15 15 "Broadcast_A_15" BROADCAST_A_15;
        }
        0x94520 1 0x0 "Event_Group_User_Event_Enable" EVENT_GROUP_USER_EVENT_ENABLE event_group_user_event_enable {
            0 0 "User_Event_0" USER_EVENT_0;
            1 1 "User_Event_1" USER_EVENT_1;
        }
        0x96030 1 0x0 "Tile_Control" TILE_CONTROL tile_control {
            0 0 "Isolate_From_South" ISOLATE_FROM_SOUTH;
            1 1 "Isolate_From_West" ISOLATE_FROM_WEST;
            2 2 "Isolate_From_North" ISOLATE_FROM_NORTH;
            3 3 "Isolate_From_East" ISOLATE_FROM_EAST;
        }
        0x96048 1 0x0 "Memory_Control" MEMORY_CONTROL memory_control {
            0 0 "Memory_Zeroisation" MEMORY_ZEROISATION;
            1 1 "Memory_Interleaving" MEMORY_INTERLEAVING;
        }
        0xa0000 48 0x20 "DMA_BD{}_0" DMA_BDN_0 dma_bdn_0 {
            0 16 "Buffer_Length" BUFFER_LENGTH;
            17 22 "Out_Of_Order_BD_ID" OUT_OF_ORDER_BD_ID;
            23 27 "Packet_ID" PACKET_ID;
            28 30 "Packet_Type" PACKET_TYPE;
            31 31 "Enable_Packet" ENABLE_PACKET;
        }
        0xa0004 48 0x20 "DMA_BD{}_1" DMA_BDN_1 dma_bdn_1 {
            0 18 "Base_Address" BASE_ADDRESS;
            19 19 "Use_Next_BD" USE_NEXT_BD;
            20 25 "Next_BD" NEXT_BD;
            26 31 "D0_Zero_Before" D0_ZERO_BEFORE;
        }
        0xa0008 48 0x20 "DMA_BD{}_2" DMA_BDN_2 dma_bdn_2 {
            0 16 "D0_Stepsize" D0_STEPSIZE;
            17 26 "D0_Wrap" D0_WRAP;
            31 31 "TLAST_Suppress" TLAST_SUPPRESS;
        }
        0xa000c 48 0x20 "DMA_BD{}_3" DMA_BDN_3 dma_bdn_3 {
            0 16 "D1_Stepsize" D1_STEPSIZE;
            17 26 "D1_Wrap" D1_WRAP;
            27 31 "D1_Zero_Before" D1_ZERO_BEFORE;
        }
        0xa0010 48 0x20 "DMA_BD{}_4" DMA_BDN_4 dma_bdn_4 {
            0 16 "D2_Stepsize" D2_STEPSIZE;
            17 26 "D2_Wrap" D2_WRAP;
            27 30 "D2_Zero_Before" D2_ZERO_BEFORE;
            31 31 "Enable_Compression" ENABLE_COMPRESSION;
        }
        0xa0014 48 0x20 "DMA_BD{}_5" DMA_BDN_5 dma_bdn_5 {
            0 16 "D3_Stepsize" D3_STEPSIZE;
            17 22 "D0_Zero_After" D0_ZERO_AFTER;
            23 27 "D1_Zero_After" D1_ZERO_AFTER;
            28 31 "D2_Zero_After" D2_ZERO_AFTER;
        }
        0xa0018 48 0x20 "DMA_BD{}_6" DMA_BDN_6 dma_bdn_6 {
            0 16 "Iteration_Stepsize" ITERATION_STEPSIZE;
            17 22 "Iteration_Wrap" ITERATION_WRAP;
            23 28 "Iteration_Current" ITERATION_CURRENT;
        }
        0xa001c 48 0x20 "DMA_BD{}_7" DMA_BDN_7 dma_bdn_7 {
            0 7 "Lock_Acq_ID" LOCK_ACQ_ID;
            8 14 "Lock_Acq_Value" LOCK_ACQ_VALUE;
            15 15 "Lock_Acq_Enable" LOCK_ACQ_ENABLE;
            16 23 "Lock_Rel_ID" LOCK_REL_ID;
            24 30 "Lock_Rel_Value" LOCK_REL_VALUE;
            31 31 "Valid_BD" VALID_BD;
        }
        0xa0600 6 0x8 "DMA_S2MM_{}_Ctrl" DMA_S2MM_N_CTRL dma_s2mm_n_ctrl {
            1 1 "Reset" RESET;
            3 3 "Enable_Out_of_Order" ENABLE_OUT_OF_ORDER;
            4 4 "Decompression_Enable" DECOMPRESSION_ENABLE;
            8 15 "Controller_ID" CONTROLLER_ID;
            16 17 "FoT_Mode" FOT_MODE;
        }
        0xa0604 6 0x8 "DMA_S2MM_{}_Start_Queue" DMA_S2MM_N_START_QUEUE dma_s2mm_n_start_queue {
            0 5 "Start_BD_ID" START_BD_ID;
            16 23 "Repeat_Count" REPEAT_COUNT;
            31 31 "Enable_Token_Issue" ENABLE_TOKEN_ISSUE;
        }
        0xa0630 6 0x8 "DMA_MM2S_{}_Ctrl" DMA_MM2S_N_CTRL dma_mm2s_n_ctrl {
            1 1 "Reset" RESET;
            4 4 "Compression_Enable" COMPRESSION_ENABLE;
            8 15 "Controller_ID" CONTROLLER_ID;
        }
        0xa0634 6 0x8 "DMA_MM2S_{}_Start_Queue" DMA_MM2S_N_START_QUEUE dma_mm2s_n_start_queue {
            0 5 "Start_BD_ID" START_BD_ID;
            16 23 "Repeat_Count" REPEAT_COUNT;
            31 31 "Enable_Token_Issue" ENABLE_TOKEN_ISSUE;
        }
        0xa0660 6 0x4 "DMA_S2MM_Status_{}" DMA_S2MM_STATUS_N dma_s2mm_status_n {
            0 1 "Status" STATUS;
            2 2 "Stalled_Lock_Acq" STALLED_LOCK_ACQ;
            3 3 "Stalled_Lock_Rel" STALLED_LOCK_REL;
            4 4 "Stalled_Stream_Starvation" STALLED_STREAM_STARVATION;
            5 5 "Stalled_TCT_or_Count_FIFO_Full" STALLED_TCT_OR_COUNT_FIFO_FULL;
            8 8 "Error_Lock_Access_to_Unavailable" ERROR_LOCK_ACCESS_TO_UNAVAILABLE;
            9 9 "Error_DM_Access_to_Unavailable" ERROR_DM_ACCESS_TO_UNAVAILABLE;
            10 10 "Error_BD_Unavailable" ERROR_BD_UNAVAILABLE;
            11 11 "Error_BD_Invalid" ERROR_BD_INVALID;
            12 12 "Error_FoT_Length_Exceeded" ERROR_FOT_LENGTH_EXCEEDED;
            13 13 "Error_FoT_BDs_per_Task" ERROR_FOT_BDS_PER_TASK;
            18 18 "Task_Queue_Overflow" TASK_QUEUE_OVERFLOW;
            19 19 "Channel_Running" CHANNEL_RUNNING;
            20 22 "Task_Queue_Size" TASK_QUEUE_SIZE;
            24 29 "Cur_BD" CUR_BD;
        }
        0xa0680 6 0x4 "DMA_MM2S_Status_{}" DMA_MM2S_STATUS_N dma_mm2s_status_n {
            0 1 "Status" STATUS;
            2 2 "Stalled_Lock_Acq" STALLED_LOCK_ACQ;
            3 3 "Stalled_Lock_Rel" STALLED_LOCK_REL;
            4 4 "Stalled_Stream_Backpressure" STALLED_STREAM_BACKPRESSURE;
            5 5 "Stalled_TCT" STALLED_TCT;
            8 8 "Error_Lock_Access_to_Unavailable" ERROR_LOCK_ACCESS_TO_UNAVAILABLE;
            9 9 "Error_DM_Access_to_Unavailable" ERROR_DM_ACCESS_TO_UNAVAILABLE;
            10 10 "Error_BD_Unavailable" ERROR_BD_UNAVAILABLE;
            11 11 "Error_BD_Invalid" ERROR_BD_INVALID;
            18 18 "Task_Queue_Overflow" TASK_QUEUE_OVERFLOW;
            19 19 "Channel_Running" CHANNEL_RUNNING;
            20 22 "Task_Queue_Size" TASK_QUEUE_SIZE;
            24 29 "Cur_BD" CUR_BD;
        }
        0xa06a0 1 0x0 "DMA_Event_Channel_Selection" DMA_EVENT_CHANNEL_SELECTION dma_event_channel_selection {
            0 2 "S2MM_Sel0_Channel" S2MM_SEL0_CHANNEL;
            8 10 "S2MM_Sel1_Channel" S2MM_SEL1_CHANNEL;
            16 18 "MM2S_Sel0_Channel" MM2S_SEL0_CHANNEL;
            24 26 "MM2S_Sel1_Channel" MM2S_SEL1_CHANNEL;
        }
        0xa06b0 6 0x4 "DMA_S2MM_Current_Write_Count_{}" DMA_S2MM_CURRENT_WRITE_COUNT_N dma_s2mm_current_write_count_n {
            0 16 "Current_Write_Count" CURRENT_WRITE_COUNT;
        }
        0xa06c8 6 0x4 "DMA_S2MM_FoT_Count_FIFO_Pop_{}" DMA_S2MM_FOT_COUNT_FIFO_POP_N dma_s2mm_fot_count_fifo_pop_n {
            0 17 "Write_Count" WRITE_COUNT;
            24 29 "BD_ID" BD_ID;
            30 30 "Last_in_Task" LAST_IN_TASK;
            31 31 "Valid" VALID;
        }
        0xb0000 6 0x4 "Stream_Switch_Master_Config_DMA{}" STREAM_SWITCH_MASTER_CONFIG_DMAN stream_switch_master_config_dman {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0xb0018 1 0x0 "Stream_Switch_Master_Config_Tile_Ctrl" STREAM_SWITCH_MASTER_CONFIG_TILE_CTRL stream_switch_master_config_tile_ctrl {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0xb001c 4 0x4 "Stream_Switch_Master_Config_South{}" STREAM_SWITCH_MASTER_CONFIG_SOUTHN stream_switch_master_config_southn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0xb002c 6 0x4 "Stream_Switch_Master_Config_North{}" STREAM_SWITCH_MASTER_CONFIG_NORTHN stream_switch_master_config_northn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0xb0100 6 0x4 "Stream_Switch_Slave_Config_DMA_{}" STREAM_SWITCH_SLAVE_CONFIG_DMA_N stream_switch_slave_config_dma_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0xb0118 1 0x0 "Stream_Switch_Slave_Config_Tile_Ctrl" STREAM_SWITCH_SLAVE_CONFIG_TILE_CTRL stream_switch_slave_config_tile_ctrl {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0xb011c 6 0x4 "Stream_Switch_Slave_Config_South_{}" STREAM_SWITCH_SLAVE_CONFIG_SOUTH_N stream_switch_slave_config_south_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0xb0134 4 0x4 "Stream_Switch_Slave_Config_North_{}" STREAM_SWITCH_SLAVE_CONFIG_NORTH_N stream_switch_slave_config_north_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0xb0144 1 0x0 "Stream_Switch_Slave_Config_Trace" STREAM_SWITCH_SLAVE_CONFIG_TRACE stream_switch_slave_config_trace {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0xb0200 6 0x10 "Stream_Switch_Slave_DMA_{}_Slot0" STREAM_SWITCH_SLAVE_DMA_N_SLOT0 stream_switch_slave_dma_n_slot0 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb0204 6 0x10 "Stream_Switch_Slave_DMA_{}_Slot1" STREAM_SWITCH_SLAVE_DMA_N_SLOT1 stream_switch_slave_dma_n_slot1 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb0208 6 0x10 "Stream_Switch_Slave_DMA_{}_Slot2" STREAM_SWITCH_SLAVE_DMA_N_SLOT2 stream_switch_slave_dma_n_slot2 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb020c 6 0x10 "Stream_Switch_Slave_DMA_{}_Slot3" STREAM_SWITCH_SLAVE_DMA_N_SLOT3 stream_switch_slave_dma_n_slot3 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb0260 4 0x4 "Stream_Switch_Slave_Tile_Ctrl_Slot{}" STREAM_SWITCH_SLAVE_TILE_CTRL_SLOTN stream_switch_slave_tile_ctrl_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb0270 6 0x10 "Stream_Switch_Slave_South_{}_Slot0" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT0 stream_switch_slave_south_n_slot0 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb0274 6 0x10 "Stream_Switch_Slave_South_{}_Slot1" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT1 stream_switch_slave_south_n_slot1 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb0278 6 0x10 "Stream_Switch_Slave_South_{}_Slot2" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT2 stream_switch_slave_south_n_slot2 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb027c 6 0x10 "Stream_Switch_Slave_South_{}_Slot3" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT3 stream_switch_slave_south_n_slot3 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb02d0 4 0x4 "Stream_Switch_Slave_North_0_Slot{}" STREAM_SWITCH_SLAVE_NORTH_0_SLOTN stream_switch_slave_north_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb02e0 4 0x4 "Stream_Switch_Slave_North_1_Slot{}" STREAM_SWITCH_SLAVE_NORTH_1_SLOTN stream_switch_slave_north_1_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb02f0 4 0x4 "Stream_Switch_Slave_North_2_Slot{}" STREAM_SWITCH_SLAVE_NORTH_2_SLOTN stream_switch_slave_north_2_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb0300 4 0x4 "Stream_Switch_Slave_North_3_Slot{}" STREAM_SWITCH_SLAVE_NORTH_3_SLOTN stream_switch_slave_north_3_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb0310 4 0x4 "Stream_Switch_Slave_Trace_Slot{}" STREAM_SWITCH_SLAVE_TRACE_SLOTN stream_switch_slave_trace_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0xb0800 2 0x10 "Stream_Switch_Deterministic_Merge_arb{}_slave0_1" STREAM_SWITCH_DETERMINISTIC_MERGE_ARBN_SLAVE0_1 stream_switch_deterministic_merge_arbn_slave0_1 {
            0 4 "Slave_ID_0" SLAVE_ID_0;
            8 13 "Packet_Count_0" PACKET_COUNT_0;
            16 20 "Slave_ID_1" SLAVE_ID_1;
            24 29 "Packet_Count_1" PACKET_COUNT_1;
        }
        0xb0804 2 0x10 "Stream_Switch_Deterministic_Merge_arb{}_slave2_3" STREAM_SWITCH_DETERMINISTIC_MERGE_ARBN_SLAVE2_3 stream_switch_deterministic_merge_arbn_slave2_3 {
            0 4 "Slave_ID_2" SLAVE_ID_2;
            8 13 "Packet_Count_2" PACKET_COUNT_2;
            16 20 "Slave_ID_3" SLAVE_ID_3;
            24 29 "Packet_Count_3" PACKET_COUNT_3;
        }
        0xb0808 2 0x10 "Stream_Switch_Deterministic_Merge_arb{}_ctrl" STREAM_SWITCH_DETERMINISTIC_MERGE_ARBN_CTRL stream_switch_deterministic_merge_arbn_ctrl {
            0 0 "Enable" ENABLE;
        }
        0xb0f00 1 0x0 "Stream_Switch_Event_Port_Selection_0" STREAM_SWITCH_EVENT_PORT_SELECTION_0 stream_switch_event_port_selection_0 {
            0 4 "Port_0_ID" PORT_0_ID;
            5 5 "Port_0_Master_Slave" PORT_0_MASTER_SLAVE;
            8 12 "Port_1_ID" PORT_1_ID;
            13 13 "Port_1_Master_Slave" PORT_1_MASTER_SLAVE;
            16 20 "Port_2_ID" PORT_2_ID;
            21 21 "Port_2_Master_Slave" PORT_2_MASTER_SLAVE;
            24 28 "Port_3_ID" PORT_3_ID;
            29 29 "Port_3_Master_Slave" PORT_3_MASTER_SLAVE;
        }
        0xb0f04 1 0x0 "Stream_Switch_Event_Port_Selection_1" STREAM_SWITCH_EVENT_PORT_SELECTION_1 stream_switch_event_port_selection_1 {
            0 4 "Port_4_ID" PORT_4_ID;
            5 5 "Port_4_Master_Slave" PORT_4_MASTER_SLAVE;
            8 12 "Port_5_ID" PORT_5_ID;
            13 13 "Port_5_Master_Slave" PORT_5_MASTER_SLAVE;
            16 20 "Port_6_ID" PORT_6_ID;
            21 21 "Port_6_Master_Slave" PORT_6_MASTER_SLAVE;
            24 28 "Port_7_ID" PORT_7_ID;
            29 29 "Port_7_Master_Slave" PORT_7_MASTER_SLAVE;
        }
        0xb0f30 1 0x0 "Tile_Control_Packet_Handler_Status" TILE_CONTROL_PACKET_HANDLER_STATUS tile_control_packet_handler_status {
            0 0 "First_Header_Parity_Error" FIRST_HEADER_PARITY_ERROR;
            1 1 "Second_Header_Parity_Error" SECOND_HEADER_PARITY_ERROR;
            2 2 "SLVERR_On_Access" SLVERR_ON_ACCESS;
            3 3 "Tlast_Error" TLAST_ERROR;
        }
        0xc0000 64 0x10 "Lock{}_value" LOCKN_VALUE lockn_value {
            0 5 "Lock_value" LOCK_VALUE;
        }
        0xc0400 8 0x4 "Locks_Event_Selection_{}" LOCKS_EVENT_SELECTION_N locks_event_selection_n {
            0 5 "Lock_Value" LOCK_VALUE;
            16 21 "Lock_Select" LOCK_SELECT;
        }
        0xc0420 1 0x0 "Locks_Overflow_0" LOCKS_OVERFLOW_0 locks_overflow_0 {
            0 0 "Lock_Overflow_0" LOCK_OVERFLOW_0;
            1 1 "Lock_Overflow_1" LOCK_OVERFLOW_1;
            2 2 "Lock_Overflow_2" LOCK_OVERFLOW_2;
            3 3 "Lock_Overflow_3" LOCK_OVERFLOW_3;
            4 4 "Lock_Overflow_4" LOCK_OVERFLOW_4;
            5 5 "Lock_Overflow_5" LOCK_OVERFLOW_5;
            6 6 "Lock_Overflow_6" LOCK_OVERFLOW_6;
            7 7 "Lock_Overflow_7" LOCK_OVERFLOW_7;
            8 8 "Lock_Overflow_8" LOCK_OVERFLOW_8;
            9 9 "Lock_Overflow_9" LOCK_OVERFLOW_9;
            10 10 "Lock_Overflow_10" LOCK_OVERFLOW_10;
            11 11 "Lock_Overflow_11" LOCK_OVERFLOW_11;
            12 12 "Lock_Overflow_12" LOCK_OVERFLOW_12;
            13 13 "Lock_Overflow_13" LOCK_OVERFLOW_13;
            14 14 "Lock_Overflow_14" LOCK_OVERFLOW_14;
            15 15 "Lock_Overflow_15" LOCK_OVERFLOW_15;
            16 16 "Lock_Overflow_16" LOCK_OVERFLOW_16;
            17 17 "Lock_Overflow_17" LOCK_OVERFLOW_17;
            18 18 "Lock_Overflow_18" LOCK_OVERFLOW_18;
            19 19 "Lock_Overflow_19" LOCK_OVERFLOW_19;
            20 20 "Lock_Overflow_20" LOCK_OVERFLOW_20;
            21 21 "Lock_Overflow_21" LOCK_OVERFLOW_21;
            22 22 "Lock_Overflow_22" LOCK_OVERFLOW_22;
            23 23 "Lock_Overflow_23" LOCK_OVERFLOW_23;
            24 24 "Lock_Overflow_24" LOCK_OVERFLOW_24;
            25 25 "Lock_Overflow_25" LOCK_OVERFLOW_25;
            26 26 "Lock_Overflow_26" LOCK_OVERFLOW_26;
            27 27 "Lock_Overflow_27" LOCK_OVERFLOW_27;
            28 28 "Lock_Overflow_28" LOCK_OVERFLOW_28;
            29 29 "Lock_Overflow_29" LOCK_OVERFLOW_29;
            30 30 "Lock_Overflow_30" LOCK_OVERFLOW_30;
            31 31 "Lock_Overflow_31" LOCK_OVERFLOW_31;
        }
        0xc0424 1 0x0 "Locks_Overflow_1" LOCKS_OVERFLOW_1 locks_overflow_1 {
            0 0 "Lock_Overflow_32" LOCK_OVERFLOW_32;
            1 1 "Lock_Overflow_33" LOCK_OVERFLOW_33;
            2 2 "Lock_Overflow_34" LOCK_OVERFLOW_34;
            3 3 "Lock_Overflow_35" LOCK_OVERFLOW_35;
            4 4 "Lock_Overflow_36" LOCK_OVERFLOW_36;
            5 5 "Lock_Overflow_37" LOCK_OVERFLOW_37;
            6 6 "Lock_Overflow_38" LOCK_OVERFLOW_38;
            7 7 "Lock_Overflow_39" LOCK_OVERFLOW_39;
            8 8 "Lock_Overflow_40" LOCK_OVERFLOW_40;
            9 9 "Lock_Overflow_41" LOCK_OVERFLOW_41;
            10 10 "Lock_Overflow_42" LOCK_OVERFLOW_42;
            11 11 "Lock_Overflow_43" LOCK_OVERFLOW_43;
            12 12 "Lock_Overflow_44" LOCK_OVERFLOW_44;
            13 13 "Lock_Overflow_45" LOCK_OVERFLOW_45;
            14 14 "Lock_Overflow_46" LOCK_OVERFLOW_46;
            15 15 "Lock_Overflow_47" LOCK_OVERFLOW_47;
            16 16 "Lock_Overflow_48" LOCK_OVERFLOW_48;
            17 17 "Lock_Overflow_49" LOCK_OVERFLOW_49;
            18 18 "Lock_Overflow_50" LOCK_OVERFLOW_50;
            19 19 "Lock_Overflow_51" LOCK_OVERFLOW_51;
            20 20 "Lock_Overflow_52" LOCK_OVERFLOW_52;
            21 21 "Lock_Overflow_53" LOCK_OVERFLOW_53;
            22 22 "Lock_Overflow_54" LOCK_OVERFLOW_54;
            23 23 "Lock_Overflow_55" LOCK_OVERFLOW_55;
            24 24 "Lock_Overflow_56" LOCK_OVERFLOW_56;
            25 25 "Lock_Overflow_57" LOCK_OVERFLOW_57;
            26 26 "Lock_Overflow_58" LOCK_OVERFLOW_58;
            27 27 "Lock_Overflow_59" LOCK_OVERFLOW_59;
            28 28 "Lock_Overflow_60" LOCK_OVERFLOW_60;
            29 29 "Lock_Overflow_61" LOCK_OVERFLOW_61;
            30 30 "Lock_Overflow_62" LOCK_OVERFLOW_62;
            31 31 "Lock_Overflow_63" LOCK_OVERFLOW_63;
        }
        0xc0428 1 0x0 "Locks_Underflow_0" LOCKS_UNDERFLOW_0 locks_underflow_0 {
            0 0 "Lock_Underflow_0" LOCK_UNDERFLOW_0;
            1 1 "Lock_Underflow_1" LOCK_UNDERFLOW_1;
            2 2 "Lock_Underflow_2" LOCK_UNDERFLOW_2;
            3 3 "Lock_Underflow_3" LOCK_UNDERFLOW_3;
            4 4 "Lock_Underflow_4" LOCK_UNDERFLOW_4;
            5 5 "Lock_Underflow_5" LOCK_UNDERFLOW_5;
            6 6 "Lock_Underflow_6" LOCK_UNDERFLOW_6;
            7 7 "Lock_Underflow_7" LOCK_UNDERFLOW_7;
            8 8 "Lock_Underflow_8" LOCK_UNDERFLOW_8;
            9 9 "Lock_Underflow_9" LOCK_UNDERFLOW_9;
            10 10 "Lock_Underflow_10" LOCK_UNDERFLOW_10;
            11 11 "Lock_Underflow_11" LOCK_UNDERFLOW_11;
            12 12 "Lock_Underflow_12" LOCK_UNDERFLOW_12;
            13 13 "Lock_Underflow_13" LOCK_UNDERFLOW_13;
            14 14 "Lock_Underflow_14" LOCK_UNDERFLOW_14;
            15 15 "Lock_Underflow_15" LOCK_UNDERFLOW_15;
            16 16 "Lock_Underflow_16" LOCK_UNDERFLOW_16;
            17 17 "Lock_Underflow_17" LOCK_UNDERFLOW_17;
            18 18 "Lock_Underflow_18" LOCK_UNDERFLOW_18;
            19 19 "Lock_Underflow_19" LOCK_UNDERFLOW_19;
            20 20 "Lock_Underflow_20" LOCK_UNDERFLOW_20;
            21 21 "Lock_Underflow_21" LOCK_UNDERFLOW_21;
            22 22 "Lock_Underflow_22" LOCK_UNDERFLOW_22;
            23 23 "Lock_Underflow_23" LOCK_UNDERFLOW_23;
            24 24 "Lock_Underflow_24" LOCK_UNDERFLOW_24;
            25 25 "Lock_Underflow_25" LOCK_UNDERFLOW_25;
            26 26 "Lock_Underflow_26" LOCK_UNDERFLOW_26;
            27 27 "Lock_Underflow_27" LOCK_UNDERFLOW_27;
            28 28 "Lock_Underflow_28" LOCK_UNDERFLOW_28;
            29 29 "Lock_Underflow_29" LOCK_UNDERFLOW_29;
            30 30 "Lock_Underflow_30" LOCK_UNDERFLOW_30;
            31 31 "Lock_Underflow_31" LOCK_UNDERFLOW_31;
        }
        0xc042c 1 0x0 "Locks_Underflow_1" LOCKS_UNDERFLOW_1 locks_underflow_1 {
            0 0 "Lock_Underflow_32" LOCK_UNDERFLOW_32;
            1 1 "Lock_Underflow_33" LOCK_UNDERFLOW_33;
            2 2 "Lock_Underflow_34" LOCK_UNDERFLOW_34;
            3 3 "Lock_Underflow_35" LOCK_UNDERFLOW_35;
            4 4 "Lock_Underflow_36" LOCK_UNDERFLOW_36;
            5 5 "Lock_Underflow_37" LOCK_UNDERFLOW_37;
            6 6 "Lock_Underflow_38" LOCK_UNDERFLOW_38;
            7 7 "Lock_Underflow_39" LOCK_UNDERFLOW_39;
            8 8 "Lock_Underflow_40" LOCK_UNDERFLOW_40;
            9 9 "Lock_Underflow_41" LOCK_UNDERFLOW_41;
            10 10 "Lock_Underflow_42" LOCK_UNDERFLOW_42;
            11 11 "Lock_Underflow_43" LOCK_UNDERFLOW_43;
            12 12 "Lock_Underflow_44" LOCK_UNDERFLOW_44;
            13 13 "Lock_Underflow_45" LOCK_UNDERFLOW_45;
            14 14 "Lock_Underflow_46" LOCK_UNDERFLOW_46;
            15 15 "Lock_Underflow_47" LOCK_UNDERFLOW_47;
            16 16 "Lock_Underflow_48" LOCK_UNDERFLOW_48;
            17 17 "Lock_Underflow_49" LOCK_UNDERFLOW_49;
            18 18 "Lock_Underflow_50" LOCK_UNDERFLOW_50;
            19 19 "Lock_Underflow_51" LOCK_UNDERFLOW_51;
            20 20 "Lock_Underflow_52" LOCK_UNDERFLOW_52;
            21 21 "Lock_Underflow_53" LOCK_UNDERFLOW_53;
            22 22 "Lock_Underflow_54" LOCK_UNDERFLOW_54;
            23 23 "Lock_Underflow_55" LOCK_UNDERFLOW_55;
            24 24 "Lock_Underflow_56" LOCK_UNDERFLOW_56;
            25 25 "Lock_Underflow_57" LOCK_UNDERFLOW_57;
            26 26 "Lock_Underflow_58" LOCK_UNDERFLOW_58;
            27 27 "Lock_Underflow_59" LOCK_UNDERFLOW_59;
            28 28 "Lock_Underflow_60" LOCK_UNDERFLOW_60;
            29 29 "Lock_Underflow_61" LOCK_UNDERFLOW_61;
            30 30 "Lock_Underflow_62" LOCK_UNDERFLOW_62;
            31 31 "Lock_Underflow_63" LOCK_UNDERFLOW_63;
        }
        0xd0000 1 0x0 "Lock_Request" LOCK_REQUEST lock_request {
            0 0 "Request_Result" REQUEST_RESULT;
        }
        0xfff00 1 0x0 "Module_Clock_Control" MODULE_CLOCK_CONTROL module_clock_control {
            0 0 "Stream_Switch_Clock_Enable" STREAM_SWITCH_CLOCK_ENABLE;
            1 1 "Memory_Module_Clock_Enable" MEMORY_MODULE_CLOCK_ENABLE;
            4 4 "Stream_Switch_Adaptive_Clock_Gate" STREAM_SWITCH_ADAPTIVE_CLOCK_GATE;
            5 5 "DMA_Adaptive_Clock_Gate" DMA_ADAPTIVE_CLOCK_GATE;
        }
    }
    Shim shim {
        0x14000 16 0x10 "Lock{}_value" LOCKN_VALUE lockn_value {
            0 5 "Lock_value" LOCK_VALUE;
        }
        0x14100 6 0x4 "Locks_Event_Selection_{}" LOCKS_EVENT_SELECTION_N locks_event_selection_n {
            0 5 "Lock_Value" LOCK_VALUE;
            16 19 "Lock_Select" LOCK_SELECT;
        }
        0x14120 1 0x0 "Locks_Overflow" LOCKS_OVERFLOW locks_overflow {
            0 0 "Lock_Overflow_0" LOCK_OVERFLOW_0;
            1 1 "Lock_Overflow_1" LOCK_OVERFLOW_1;
            2 2 "Lock_Overflow_2" LOCK_OVERFLOW_2;
            3 3 "Lock_Overflow_3" LOCK_OVERFLOW_3;
            4 4 "Lock_Overflow_4" LOCK_OVERFLOW_4;
            5 5 "Lock_Overflow_5" LOCK_OVERFLOW_5;
            6 6 "Lock_Overflow_6" LOCK_OVERFLOW_6;
            7 7 "Lock_Overflow_7" LOCK_OVERFLOW_7;
            8 8 "Lock_Overflow_8" LOCK_OVERFLOW_8;
            9 9 "Lock_Overflow_9" LOCK_OVERFLOW_9;
            10 10 "Lock_Overflow_10" LOCK_OVERFLOW_10;
            11 11 "Lock_Overflow_11" LOCK_OVERFLOW_11;
            12 12 "Lock_Overflow_12" LOCK_OVERFLOW_12;
            13 13 "Lock_Overflow_13" LOCK_OVERFLOW_13;
            14 14 "Lock_Overflow_14" LOCK_OVERFLOW_14;
            15 15 "Lock_Overflow_15" LOCK_OVERFLOW_15;
        }
        0x14128 1 0x0 "Locks_Underflow" LOCKS_UNDERFLOW locks_underflow {
            0 0 "Lock_Underflow_0" LOCK_UNDERFLOW_0;
            1 1 "Lock_Underflow_1" LOCK_UNDERFLOW_1;
            2 2 "Lock_Underflow_2" LOCK_UNDERFLOW_2;
            3 3 "Lock_Underflow_3" LOCK_UNDERFLOW_3;
            4 4 "Lock_Underflow_4" LOCK_UNDERFLOW_4;
            5 5 "Lock_Underflow_5" LOCK_UNDERFLOW_5;
            6 6 "Lock_Underflow_6" LOCK_UNDERFLOW_6;
            7 7 "Lock_Underflow_7" LOCK_UNDERFLOW_7;
            8 8 "Lock_Underflow_8" LOCK_UNDERFLOW_8;
            9 9 "Lock_Underflow_9" LOCK_UNDERFLOW_9;
            10 10 "Lock_Underflow_10" LOCK_UNDERFLOW_10;
            11 11 "Lock_Underflow_11" LOCK_UNDERFLOW_11;
            12 12 "Lock_Underflow_12" LOCK_UNDERFLOW_12;
            13 13 "Lock_Underflow_13" LOCK_UNDERFLOW_13;
            14 14 "Lock_Underflow_14" LOCK_UNDERFLOW_14;
            15 15 "Lock_Underflow_15" LOCK_UNDERFLOW_15;
        }
        0x15000 1 0x0 "Interrupt_controller_2nd_level_mask" INTERRUPT_CONTROLLER_2ND_LEVEL_MASK interrupt_controller_2nd_level_mask {
            0 15 "IRQ_Mask_A" IRQ_MASK_A;
        }
        0x15004 1 0x0 "Interrupt_controller_2nd_level_enable" INTERRUPT_CONTROLLER_2ND_LEVEL_ENABLE interrupt_controller_2nd_level_enable {
            0 15 "Enable_A" ENABLE_A;
        }
        0x15008 1 0x0 "Interrupt_controller_2nd_level_disable" INTERRUPT_CONTROLLER_2ND_LEVEL_DISABLE interrupt_controller_2nd_level_disable {
            0 15 "Disable_A" DISABLE_A;
        }
        0x1500c 1 0x0 "Interrupt_controller_2nd_level_status" INTERRUPT_CONTROLLER_2ND_LEVEL_STATUS interrupt_controller_2nd_level_status {
            0 15 "Status_A" STATUS_A;
        }
        0x15010 1 0x0 "Interrupt_controller_2nd_level_interrupt" INTERRUPT_CONTROLLER_2ND_LEVEL_INTERRUPT interrupt_controller_2nd_level_interrupt {
            0 1 "NoC_Interrupt" NOC_INTERRUPT;
        }
        0x1d000 16 0x20 "DMA_BD{}_0" DMA_BDN_0 dma_bdn_0 {
            0 31 "Buffer_Length" BUFFER_LENGTH;
        }
        0x1d004 16 0x20 "DMA_BD{}_1" DMA_BDN_1 dma_bdn_1 {
            0 1 "Reserved" RESERVED;
            2 31 "Base_Address_Low" BASE_ADDRESS_LOW;
        }
        0x1d008 16 0x20 "DMA_BD{}_2" DMA_BDN_2 dma_bdn_2 {
            0 15 "Base_Address_High" BASE_ADDRESS_HIGH;
            16 18 "Packet_Type" PACKET_TYPE;
            19 23 "Packet_ID" PACKET_ID;
            24 29 "Out_Of_Order_BD_ID" OUT_OF_ORDER_BD_ID;
            30 30 "Enable_Packet" ENABLE_PACKET;
        }
        0x1d00c 16 0x20 "DMA_BD{}_3" DMA_BDN_3 dma_bdn_3 {
            0 19 "D0_Stepsize" D0_STEPSIZE;
            20 29 "D0_Wrap" D0_WRAP;
            30 30 "Secure_Access" SECURE_ACCESS;
        }
        0x1d010 16 0x20 "DMA_BD{}_4" DMA_BDN_4 dma_bdn_4 {
            0 19 "D1_Stepsize" D1_STEPSIZE;
            20 29 "D1_Wrap" D1_WRAP;
            30 31 "Burst_Length" BURST_LENGTH;
        }
        0x1d014 16 0x20 "DMA_BD{}_5" DMA_BDN_5 dma_bdn_5 {
            0 19 "D2_Stepsize" D2_STEPSIZE;
            20 23 "AxQoS" AXQOS;
            24 27 "AxCache" AXCACHE;
            28 31 "SMID" SMID;
        }
        0x1d018 16 0x20 "DMA_BD{}_6" DMA_BDN_6 dma_bdn_6 {
            0 19 "Iteration_Stepsize" ITERATION_STEPSIZE;
            20 25 "Iteration_Wrap" ITERATION_WRAP;
            26 31 "Iteration_Current" ITERATION_CURRENT;
        }
        0x1d01c 16 0x20 "DMA_BD{}_7" DMA_BDN_7 dma_bdn_7 {
            0 3 "Lock_Acq_ID" LOCK_ACQ_ID;
            5 11 "Lock_Acq_Value" LOCK_ACQ_VALUE;
            12 12 "Lock_Acq_Enable" LOCK_ACQ_ENABLE;
            13 16 "Lock_Rel_ID" LOCK_REL_ID;
            18 24 "Lock_Rel_Value" LOCK_REL_VALUE;
            25 25 "Valid_BD" VALID_BD;
            26 26 "Use_Next_BD" USE_NEXT_BD;
            27 30 "Next_BD" NEXT_BD;
            31 31 "TLAST_Suppress" TLAST_SUPPRESS;
        }
        0x1d200 2 0x8 "DMA_S2MM_{}_Ctrl" DMA_S2MM_N_CTRL dma_s2mm_n_ctrl {
            1 1 "Pause_Mem" PAUSE_MEM;
            2 2 "Pause_Stream" PAUSE_STREAM;
            3 3 "Enable_Out_of_Order" ENABLE_OUT_OF_ORDER;
            8 15 "Controller_ID" CONTROLLER_ID;
            16 17 "FoT_Mode" FOT_MODE;
        }
        0x1d204 2 0x8 "DMA_S2MM_{}_Task_Queue" DMA_S2MM_N_TASK_QUEUE dma_s2mm_n_task_queue {
            0 3 "Start_BD_ID" START_BD_ID;
            16 23 "Repeat_Count" REPEAT_COUNT;
            31 31 "Enable_Token_Issue" ENABLE_TOKEN_ISSUE;
        }
        0x1d210 2 0x8 "DMA_MM2S_{}_Ctrl" DMA_MM2S_N_CTRL dma_mm2s_n_ctrl {
            1 1 "Pause_Mem" PAUSE_MEM;
            2 2 "Pause_Stream" PAUSE_STREAM;
            8 15 "Controller_ID" CONTROLLER_ID;
        }
        0x1d214 2 0x8 "DMA_MM2S_{}_Task_Queue" DMA_MM2S_N_TASK_QUEUE dma_mm2s_n_task_queue {
            0 3 "Start_BD_ID" START_BD_ID;
            16 23 "Repeat_Count" REPEAT_COUNT;
            31 31 "Enable_Token_Issue" ENABLE_TOKEN_ISSUE;
        }
        0x1d220 2 0x4 "DMA_S2MM_Status_{}" DMA_S2MM_STATUS_N dma_s2mm_status_n {
            0 1 "Status" STATUS;
            2 2 "Stalled_Lock_Acq" STALLED_LOCK_ACQ;
            3 3 "Stalled_Lock_Rel" STALLED_LOCK_REL;
            4 4 "Stalled_Stream_Starvation" STALLED_STREAM_STARVATION;
            5 5 "Stalled_TCT_or_Count_FIFO_Full" STALLED_TCT_OR_COUNT_FIFO_FULL;
            10 10 "Error_BD_Unavailable" ERROR_BD_UNAVAILABLE;
            11 11 "Error_BD_Invalid" ERROR_BD_INVALID;
            12 12 "Error_FoT_Length_Exceeded" ERROR_FOT_LENGTH_EXCEEDED;
            13 13 "Error_FoT_BDs_per_Task" ERROR_FOT_BDS_PER_TASK;
            16 16 "AXI_MM_Decode_Error" AXI_MM_DECODE_ERROR;
            17 17 "AXI_MM_Slave_Error" AXI_MM_SLAVE_ERROR;
            18 18 "Task_Queue_Overflow" TASK_QUEUE_OVERFLOW;
            19 19 "Channel_Running" CHANNEL_RUNNING;
            20 22 "Task_Queue_Size" TASK_QUEUE_SIZE;
            24 27 "Cur_BD" CUR_BD;
        }
        0x1d228 2 0x4 "DMA_MM2S_Status_{}" DMA_MM2S_STATUS_N dma_mm2s_status_n {
            0 1 "Status" STATUS;
            2 2 "Stalled_Lock_Acq" STALLED_LOCK_ACQ;
            3 3 "Stalled_Lock_Rel" STALLED_LOCK_REL;
            4 4 "Stalled_Stream_Backpressure" STALLED_STREAM_BACKPRESSURE;
            5 5 "Stalled_TCT" STALLED_TCT;
            11 11 "Error_BD_Invalid" ERROR_BD_INVALID;
            16 16 "AXI_MM_Decode_Error" AXI_MM_DECODE_ERROR;
            17 17 "AXI_MM_Slave_Error" AXI_MM_SLAVE_ERROR;
            18 18 "Task_Queue_Overflow" TASK_QUEUE_OVERFLOW;
            19 19 "Channel_Running" CHANNEL_RUNNING;
            20 22 "Task_Queue_Size" TASK_QUEUE_SIZE;
            24 27 "Cur_BD" CUR_BD;
        }
        0x1d230 2 0x4 "DMA_S2MM_Current_Write_Count_{}" DMA_S2MM_CURRENT_WRITE_COUNT_N dma_s2mm_current_write_count_n {
            0 17 "Current_Write_Count" CURRENT_WRITE_COUNT;
        }
        0x1d238 2 0x4 "DMA_S2MM_FoT_Count_FIFO_Pop_{}" DMA_S2MM_FOT_COUNT_FIFO_POP_N dma_s2mm_fot_count_fifo_pop_n {
            0 17 "Write_Count" WRITE_COUNT;
            24 29 "BD_ID" BD_ID;
            30 30 "Last_in_Task" LAST_IN_TASK;
            31 31 "Valid" VALID;
        }
        0x1e008 1 0x0 "NoC_Interface_AIE_to_NoC_South2" NOC_INTERFACE_AIE_TO_NOC_SOUTH2 noc_interface_aie_to_noc_south2 {
            0 9 "Tdest" TDEST;
        }
        0x1e00c 1 0x0 "NoC_Interface_AIE_to_NoC_South3" NOC_INTERFACE_AIE_TO_NOC_SOUTH3 noc_interface_aie_to_noc_south3 {
            0 9 "Tdest" TDEST;
        }
        0x1e010 1 0x0 "NoC_Interface_AIE_to_NoC_South4" NOC_INTERFACE_AIE_TO_NOC_SOUTH4 noc_interface_aie_to_noc_south4 {
            0 9 "Tdest" TDEST;
        }
        0x1e014 1 0x0 "NoC_Interface_AIE_to_NoC_South5" NOC_INTERFACE_AIE_TO_NOC_SOUTH5 noc_interface_aie_to_noc_south5 {
            0 9 "Tdest" TDEST;
        }
        0x1f000 1 0x0 "Mux_Config" MUX_CONFIG mux_config {
            8 9 "South2" SOUTH2;
            10 11 "South3" SOUTH3;
            12 13 "South6" SOUTH6;
            14 15 "South7" SOUTH7;
        }
        0x1f004 1 0x0 "Demux_Config" DEMUX_CONFIG demux_config {
            4 5 "South2" SOUTH2;
            6 7 "South3" SOUTH3;
            8 9 "South4" SOUTH4;
            10 11 "South5" SOUTH5;
        }
        0x31000 1 0x0 "Performance_Ctrl0" PERFORMANCE_CTRL0 performance_ctrl0 {
            0 6 "Cnt0_Start_Event" CNT0_START_EVENT;
            8 14 "Cnt0_Stop_Event" CNT0_STOP_EVENT;
            16 22 "Cnt1_Start_Event" CNT1_START_EVENT;
            24 30 "Cnt1_Stop_Event" CNT1_STOP_EVENT;
        }
        0x31008 1 0x0 "Performance_Ctrl1" PERFORMANCE_CTRL1 performance_ctrl1 {
            0 6 "Cnt0_Reset_Event" CNT0_RESET_EVENT;
            8 14 "Cnt1_Reset_Event" CNT1_RESET_EVENT;
        }
        0x31020 2 0x4 "Performance_Counter{}" PERFORMANCE_COUNTERN performance_countern {
            0 31 "Counter0_Value" COUNTER0_VALUE;
        }
        0x31080 2 0x4 "Performance_Counter{}_Event_Value" PERFORMANCE_COUNTERN_EVENT_VALUE performance_countern_event_value {
            0 31 "Counter_Event_Value" COUNTER_EVENT_VALUE;
        }
        0x34000 1 0x0 "Timer_Control" TIMER_CONTROL timer_control {
            8 14 "Reset_Event" RESET_EVENT;
            31 31 "Reset" RESET;
        }
        0x34008 1 0x0 "Event_Generate" EVENT_GENERATE event_generate {
            0 6 "Event" EVENT;
        }
        0x34010 16 0x4 "Event_Broadcast{}_A" EVENT_BROADCASTN_A event_broadcastn_a {
            0 6 "Event" EVENT;
        }
        0x34050 1 0x0 "Event_Broadcast_A_Block_South_Set" EVENT_BROADCAST_A_BLOCK_SOUTH_SET event_broadcast_a_block_south_set {
            0 15 "Set" SET;
        }
        0x34054 1 0x0 "Event_Broadcast_A_Block_South_Clr" EVENT_BROADCAST_A_BLOCK_SOUTH_CLR event_broadcast_a_block_south_clr {
            0 15 "Clear" CLEAR;
        }
        0x34058 1 0x0 "Event_Broadcast_A_Block_South_Value" EVENT_BROADCAST_A_BLOCK_SOUTH_VALUE event_broadcast_a_block_south_value {
            0 15 "Value" VALUE;
        }
        0x34060 1 0x0 "Event_Broadcast_A_Block_West_Set" EVENT_BROADCAST_A_BLOCK_WEST_SET event_broadcast_a_block_west_set {
            0 15 "Set" SET;
        }
        0x34064 1 0x0 "Event_Broadcast_A_Block_West_Clr" EVENT_BROADCAST_A_BLOCK_WEST_CLR event_broadcast_a_block_west_clr {
            0 15 "Clear" CLEAR;
        }
        0x34068 1 0x0 "Event_Broadcast_A_Block_West_Value" EVENT_BROADCAST_A_BLOCK_WEST_VALUE event_broadcast_a_block_west_value {
            0 15 "Value" VALUE;
        }
        0x34070 1 0x0 "Event_Broadcast_A_Block_North_Set" EVENT_BROADCAST_A_BLOCK_NORTH_SET event_broadcast_a_block_north_set {
            0 15 "Set" SET;
        }
        0x34074 1 0x0 "Event_Broadcast_A_Block_North_Clr" EVENT_BROADCAST_A_BLOCK_NORTH_CLR event_broadcast_a_block_north_clr {
            0 15 "Clear" CLEAR;
        }
        0x34078 1 0x0 "Event_Broadcast_A_Block_North_Value" EVENT_BROADCAST_A_BLOCK_NORTH_VALUE event_broadcast_a_block_north_value {
            0 15 "Value" VALUE;
        }
        0x34080 1 0x0 "Event_Broadcast_A_Block_East_Set" EVENT_BROADCAST_A_BLOCK_EAST_SET event_broadcast_a_block_east_set {
            0 15 "Set" SET;
        }
        0x34084 1 0x0 "Event_Broadcast_A_Block_East_Clr" EVENT_BROADCAST_A_BLOCK_EAST_CLR event_broadcast_a_block_east_clr {
            0 15 "Clear" CLEAR;
        }
        0x34088 1 0x0 "Event_Broadcast_A_Block_East_Value" EVENT_BROADCAST_A_BLOCK_EAST_VALUE event_broadcast_a_block_east_value {
            0 15 "Value" VALUE;
        }
        0x34090 1 0x0 "Event_Broadcast_B_Block_South_Set" EVENT_BROADCAST_B_BLOCK_SOUTH_SET event_broadcast_b_block_south_set {
            0 15 "Set" SET;
        }
        0x34094 1 0x0 "Event_Broadcast_B_Block_South_Clr" EVENT_BROADCAST_B_BLOCK_SOUTH_CLR event_broadcast_b_block_south_clr {
            0 15 "Clear" CLEAR;
        }
        0x34098 1 0x0 "Event_Broadcast_B_Block_South_Value" EVENT_BROADCAST_B_BLOCK_SOUTH_VALUE event_broadcast_b_block_south_value {
            0 15 "Value" VALUE;
        }
        0x340a0 1 0x0 "Event_Broadcast_B_Block_West_Set" EVENT_BROADCAST_B_BLOCK_WEST_SET event_broadcast_b_block_west_set {
            0 15 "Set" SET;
        }
        0x340a4 1 0x0 "Event_Broadcast_B_Block_West_Clr" EVENT_BROADCAST_B_BLOCK_WEST_CLR event_broadcast_b_block_west_clr {
            0 15 "Clear" CLEAR;
        }
        0x340a8 1 0x0 "Event_Broadcast_B_Block_West_Value" EVENT_BROADCAST_B_BLOCK_WEST_VALUE event_broadcast_b_block_west_value {
            0 15 "Value" VALUE;
        }
        0x340b0 1 0x0 "Event_Broadcast_B_Block_North_Set" EVENT_BROADCAST_B_BLOCK_NORTH_SET event_broadcast_b_block_north_set {
            0 15 "Set" SET;
        }
        0x340b4 1 0x0 "Event_Broadcast_B_Block_North_Clr" EVENT_BROADCAST_B_BLOCK_NORTH_CLR event_broadcast_b_block_north_clr {
            0 15 "Clear" CLEAR;
        }
        0x340b8 1 0x0 "Event_Broadcast_B_Block_North_Value" EVENT_BROADCAST_B_BLOCK_NORTH_VALUE event_broadcast_b_block_north_value {
            0 15 "Value" VALUE;
        }
        0x340c0 1 0x0 "Event_Broadcast_B_Block_East_Set" EVENT_BROADCAST_B_BLOCK_EAST_SET event_broadcast_b_block_east_set {
            0 15 "Set" SET;
        }
        0x340c4 1 0x0 "Event_Broadcast_B_Block_East_Clr" EVENT_BROADCAST_B_BLOCK_EAST_CLR event_broadcast_b_block_east_clr {
            0 15 "Clear" CLEAR;
        }
        0x340c8 1 0x0 "Event_Broadcast_B_Block_East_Value" EVENT_BROADCAST_B_BLOCK_EAST_VALUE event_broadcast_b_block_east_value {
            0 15 "Value" VALUE;
        }
        0x340d0 1 0x0 "Trace_Control0" TRACE_CONTROL0 trace_control0 {
            16 22 "Trace_Start_Event" TRACE_START_EVENT;
            24 30 "Trace_Stop_Event" TRACE_STOP_EVENT;
        }
        0x340d4 1 0x0 "Trace_Control1" TRACE_CONTROL1 trace_control1 {
            0 4 "ID" ID;
            12 14 "Packet_Type" PACKET_TYPE;
        }
        0x340d8 1 0x0 "Trace_Status" TRACE_STATUS trace_status {
            0 2 "Mode" MODE;
            8 9 "State" STATE;
        }
        0x340e0 1 0x0 "Trace_Event0" TRACE_EVENT0 trace_event0 {
            0 6 "Trace_Event0" TRACE_EVENT0;
            8 14 "Trace_Event1" TRACE_EVENT1;
            16 22 "Trace_Event2" TRACE_EVENT2;
            24 30 "Trace_Event3" TRACE_EVENT3;
        }
        0x340e4 1 0x0 "Trace_Event1" TRACE_EVENT1 trace_event1 {
            0 6 "Trace_Event4" TRACE_EVENT4;
            8 14 "Trace_Event5" TRACE_EVENT5;
            16 22 "Trace_Event6" TRACE_EVENT6;
            24 30 "Trace_Event7" TRACE_EVENT7;
        }
        0x340f0 1 0x0 "Timer_Trig_Event_Low_Value" TIMER_TRIG_EVENT_LOW_VALUE timer_trig_event_low_value {
            0 31 "TimerTrigLow" TIMERTRIGLOW;
        }
        0x340f4 1 0x0 "Timer_Trig_Event_High_Value" TIMER_TRIG_EVENT_HIGH_VALUE timer_trig_event_high_value {
            0 31 "TimerTrigHigh" TIMERTRIGHIGH;
        }
        0x340f8 1 0x0 "Timer_Low" TIMER_LOW timer_low {
            0 31 "TimerLow" TIMERLOW;
        }
        0x340fc 1 0x0 "Timer_High" TIMER_HIGH timer_high {
            0 31 "TimerHigh" TIMERHIGH;
        }
        0x34200 1 0x0 "Event_Status0" EVENT_STATUS0 event_status0 {
            0 31 "Event_31_0_Status" EVENT_31_0_STATUS;
        }
        0x34204 1 0x0 "Event_Status1" EVENT_STATUS1 event_status1 {
            0 31 "Event_63_32_Status" EVENT_63_32_STATUS;
        }
        0x34208 1 0x0 "Event_Status2" EVENT_STATUS2 event_status2 {
            0 31 "Event_95_64_Status" EVENT_95_64_STATUS;
        }
        0x3420c 1 0x0 "Event_Status3" EVENT_STATUS3 event_status3 {
            0 31 "Event_127_96_Status" EVENT_127_96_STATUS;
        }
        0x34400 1 0x0 "Combo_event_inputs" COMBO_EVENT_INPUTS combo_event_inputs {
            0 6 "eventA" EVENTA;
            8 14 "eventB" EVENTB;
            16 22 "eventC" EVENTC;
            24 30 "eventD" EVENTD;
        }
        0x34404 1 0x0 "Combo_event_control" COMBO_EVENT_CONTROL combo_event_control {
            0 1 "combo0" COMBO0;
            8 9 "combo1" COMBO1;
            16 17 "combo2" COMBO2;
        }
        0x34408 1 0x0 "Edge_Detection_event_control" EDGE_DETECTION_EVENT_CONTROL edge_detection_event_control {
            0 6 "Edge_Detection_Event_0" EDGE_DETECTION_EVENT_0;
            9 9 "Edge_Detection_0_Trigger_Rising" EDGE_DETECTION_0_TRIGGER_RISING;
            10 10 "Edge_Detection_0_Trigger_Falling" EDGE_DETECTION_0_TRIGGER_FALLING;
            16 22 "Edge_Detection_Event_1" EDGE_DETECTION_EVENT_1;
            25 25 "Edge_Detection_1_Trigger_Rising" EDGE_DETECTION_1_TRIGGER_RISING;
            26 26 "Edge_Detection_1_Trigger_Falling" EDGE_DETECTION_1_TRIGGER_FALLING;
        }
        0x34500 1 0x0 "Event_Group_0_Enable" EVENT_GROUP_0_ENABLE event_group_0_enable {
            0 0 "Timer_Sync" TIMER_SYNC;
            1 1 "Timer_Value_Reached" TIMER_VALUE_REACHED;
            2 2 "Perf_Cnt0" PERF_CNT0;
            3 3 "Perf_Cnt1" PERF_CNT1;
            4 4 "Combo_Event_0" COMBO_EVENT_0;
            5 5 "Combo_Event_1" COMBO_EVENT_1;
            6 6 "Combo_Event_2" COMBO_EVENT_2;
            7 7 "Combo_Event_3" COMBO_EVENT_3;
            8 8 "Edge_Detection_Event_0" EDGE_DETECTION_EVENT_0;
            9 9 "Edge_Detection_Event_1" EDGE_DETECTION_EVENT_1;
        }
        0x34504 1 0x0 "Event_Group_DMA_Activity_Enable" EVENT_GROUP_DMA_ACTIVITY_ENABLE event_group_dma_activity_enable {
            0 0 "DMA_S2MM_0_start_task" DMA_S2MM_0_START_TASK;
            1 1 "DMA_S2MM_1_start_task" DMA_S2MM_1_START_TASK;
            2 2 "DMA_MM2S_0_start_task" DMA_MM2S_0_START_TASK;
            3 3 "DMA_MM2S_1_start_task" DMA_MM2S_1_START_TASK;
            4 4 "DMA_S2MM_0_finished_BD" DMA_S2MM_0_FINISHED_BD;
            5 5 "DMA_S2MM_1_finished_BD" DMA_S2MM_1_FINISHED_BD;
            6 6 "DMA_MM2S_0_finished_BD" DMA_MM2S_0_FINISHED_BD;
            7 7 "DMA_MM2S_1_finished_BD" DMA_MM2S_1_FINISHED_BD;
            8 8 "DMA_S2MM_0_finished_task" DMA_S2MM_0_FINISHED_TASK;
            9 9 "DMA_S2MM_1_finished_task" DMA_S2MM_1_FINISHED_TASK;
            10 10 "DMA_MM2S_0_finished_task" DMA_MM2S_0_FINISHED_TASK;
            11 11 "DMA_MM2S_1_finished_task" DMA_MM2S_1_FINISHED_TASK;
            12 12 "DMA_S2MM_0_stalled_lock_acquire" DMA_S2MM_0_STALLED_LOCK_ACQUIRE;
            13 13 "DMA_S2MM_1_stalled_lock_acquire" DMA_S2MM_1_STALLED_LOCK_ACQUIRE;
            14 14 "DMA_MM2S_0_stalled_lock_acquire" DMA_MM2S_0_STALLED_LOCK_ACQUIRE;
            15 15 "DMA_MM2S_1_stalled_lock_acquire" DMA_MM2S_1_STALLED_LOCK_ACQUIRE;
            16 16 "DMA_S2MM_0_stream_starvation" DMA_S2MM_0_STREAM_STARVATION;
            17 17 "DMA_S2MM_1_stream_starvation" DMA_S2MM_1_STREAM_STARVATION;
            18 18 "DMA_S2MM_0_memory_backpressure" DMA_S2MM_0_MEMORY_BACKPRESSURE;
            19 19 "DMA_S2MM_1_memory_backpressure" DMA_S2MM_1_MEMORY_BACKPRESSURE;
            20 20 "DMA_MM2S_0_stream_backpressure" DMA_MM2S_0_STREAM_BACKPRESSURE;
            21 21 "DMA_MM2S_1_stream_backpressure" DMA_MM2S_1_STREAM_BACKPRESSURE;
            22 22 "DMA_MM2S_0_memory_starvation" DMA_MM2S_0_MEMORY_STARVATION;
            23 23 "DMA_MM2S_1_memory_starvation" DMA_MM2S_1_MEMORY_STARVATION;
        }
        0x34508 1 0x0 "Event_Group_Lock_Enable" EVENT_GROUP_LOCK_ENABLE event_group_lock_enable {
            0 0 "Lock_Sel0_acq_eq" LOCK_SEL0_ACQ_EQ;
            1 1 "Lock_Sel0_acq_ge" LOCK_SEL0_ACQ_GE;
            2 2 "Lock_Sel0_rel" LOCK_SEL0_REL;
            3 3 "Lock_Sel0_equal_to_value" LOCK_SEL0_EQUAL_TO_VALUE;
            4 4 "Lock_Sel1_acq_eq" LOCK_SEL1_ACQ_EQ;
            5 5 "Lock_Sel1_acq_ge" LOCK_SEL1_ACQ_GE;
            6 6 "Lock_Sel1_rel" LOCK_SEL1_REL;
            7 7 "Lock_Sel1_equal_to_value" LOCK_SEL1_EQUAL_TO_VALUE;
            8 8 "Lock_Sel2_acq_eq" LOCK_SEL2_ACQ_EQ;
            9 9 "Lock_Sel2_acq_ge" LOCK_SEL2_ACQ_GE;
            10 10 "Lock_Sel2_rel" LOCK_SEL2_REL;
            11 11 "Lock_Sel2_equal_to_value" LOCK_SEL2_EQUAL_TO_VALUE;
            12 12 "Lock_Sel3_acq_eq" LOCK_SEL3_ACQ_EQ;
            13 13 "Lock_Sel3_acq_ge" LOCK_SEL3_ACQ_GE;
            14 14 "Lock_Sel3_rel" LOCK_SEL3_REL;
            15 15 "Lock_Sel3_equal_to_value" LOCK_SEL3_EQUAL_TO_VALUE;
            16 16 "Lock_Sel4_acq_eq" LOCK_SEL4_ACQ_EQ;
            17 17 "Lock_Sel4_acq_ge" LOCK_SEL4_ACQ_GE;
            18 18 "Lock_Sel4_rel" LOCK_SEL4_REL;
            19 19 "Lock_Sel4_equal_to_value" LOCK_SEL4_EQUAL_TO_VALUE;
            20 20 "Lock_Sel5_acq_eq" LOCK_SEL5_ACQ_EQ;
            21 21 "Lock_Sel5_acq_ge" LOCK_SEL5_ACQ_GE;
            22 22 "Lock_Sel5_rel" LOCK_SEL5_REL;
            23 23 "Lock_Sel5_equal_to_value" LOCK_SEL5_EQUAL_TO_VALUE;
        }
        0x3450c 1 0x0 "Event_Group_Errors_Enable" EVENT_GROUP_ERRORS_ENABLE event_group_errors_enable {
            0 0 "AXI_MM_Slave_Tile_Error" AXI_MM_SLAVE_TILE_ERROR;
            1 1 "Control_Pkt_Error" CONTROL_PKT_ERROR;
            2 2 "Stream_Switch_Port_Parity_Error" STREAM_SWITCH_PORT_PARITY_ERROR;
            3 3 "AXI_MM_Decode_NSU_Error" AXI_MM_DECODE_NSU_ERROR;
            4 4 "AXI_MM_Slave_NSU_Error" AXI_MM_SLAVE_NSU_ERROR;
            5 5 "AXI_MM_Unsupported_Traffic" AXI_MM_UNSUPPORTED_TRAFFIC;
            6 6 "AXI_MM_Unsecure_Access_in_Secure_Mode" AXI_MM_UNSECURE_ACCESS_IN_SECURE_MODE;
            7 7 "AXI_MM_Byte_Strobe_Error" AXI_MM_BYTE_STROBE_ERROR;
            8 8 "DMA_S2MM_Error" DMA_S2MM_ERROR;
            9 9 "DMA_MM2S_Error" DMA_MM2S_ERROR;
            10 10 "Lock_Error" LOCK_ERROR;
            11 11 "DMA_Task_Token_Stall" DMA_TASK_TOKEN_STALL;
        }
        0x34510 1 0x0 "Event_Group_Stream_Switch_Enable" EVENT_GROUP_STREAM_SWITCH_ENABLE event_group_stream_switch_enable {
            0 0 "Port_Idle_0" PORT_IDLE_0;
            1 1 "Port_Running_0" PORT_RUNNING_0;
            2 2 "Port_Stalled_0" PORT_STALLED_0;
            3 3 "Port_TLAST_0" PORT_TLAST_0;
            4 4 "Port_Idle_1" PORT_IDLE_1;
            5 5 "Port_Running_1" PORT_RUNNING_1;
            6 6 "Port_Stalled_1" PORT_STALLED_1;
            7 7 "Port_TLAST_1" PORT_TLAST_1;
            8 8 "Port_Idle_2" PORT_IDLE_2;
            9 9 "Port_Running_2" PORT_RUNNING_2;
            10 10 "Port_Stalled_2" PORT_STALLED_2;
            11 11 "Port_TLAST_2" PORT_TLAST_2;
            12 12 "Port_Idle_3" PORT_IDLE_3;
            13 13 "Port_Running_3" PORT_RUNNING_3;
            14 14 "Port_Stalled_3" PORT_STALLED_3;
            15 15 "Port_TLAST_3" PORT_TLAST_3;
            16 16 "Port_Idle_4" PORT_IDLE_4;
            17 17 "Port_Running_4" PORT_RUNNING_4;
            18 18 "Port_Stalled_4" PORT_STALLED_4;
            19 19 "Port_TLAST_4" PORT_TLAST_4;
            20 20 "Port_Idle_5" PORT_IDLE_5;
            21 21 "Port_Running_5" PORT_RUNNING_5;
            22 22 "Port_Stalled_5" PORT_STALLED_5;
            23 23 "Port_TLAST_5" PORT_TLAST_5;
            24 24 "Port_Idle_6" PORT_IDLE_6;
            25 25 "Port_Running_6" PORT_RUNNING_6;
            26 26 "Port_Stalled_6" PORT_STALLED_6;
            27 27 "Port_TLAST_6" PORT_TLAST_6;
            28 28 "Port_Idle_7" PORT_IDLE_7;
            29 29 "Port_Running_7" PORT_RUNNING_7;
            30 30 "Port_Stalled_7" PORT_STALLED_7;
            31 31 "Port_TLAST_7" PORT_TLAST_7;
        }
        0x34514 1 0x0 "Event_Group_Broadcast_A_Enable" EVENT_GROUP_BROADCAST_A_ENABLE event_group_broadcast_a_enable {
            0 0 "Broadcast_A_0" BROADCAST_A_0;
            1 1 "Broadcast_A_1" BROADCAST_A_1;
            2 2 "Broadcast_A_2" BROADCAST_A_2;
            3 3 "Broadcast_A_3" BROADCAST_A_3;
            4 4 "Broadcast_A_4" BROADCAST_A_4;
            5 5 "Broadcast_A_5" BROADCAST_A_5;
            6 6 "Broadcast_A_6" BROADCAST_A_6;
            7 7 "Broadcast_A_7" BROADCAST_A_7;
            8 8 "Broadcast_A_8" BROADCAST_A_8;
            9 9 "Broadcast_A_9" BROADCAST_A_9;
            10 10 "Broadcast_A_10" BROADCAST_A_10;
            11 11 "Broadcast_A_11" BROADCAST_A_11;
            12 12 "Broadcast_A_12" BROADCAST_A_12;
            13 13 "Broadcast_A_13" BROADCAST_A_13;
            14 14 "Broadcast_A_14" BROADCAST_A_14;
            15 15 "Broadcast_A_15" BROADCAST_A_15;
        }
        0x35000 1 0x0 "Interrupt_controller_1st_level_mask_A" INTERRUPT_CONTROLLER_1ST_LEVEL_MASK_A interrupt_controller_1st_level_mask_a {
            0 19 "IRQ_Mask_A" IRQ_MASK_A;
        }
        0x35004 1 0x0 "Interrupt_controller_1st_level_enable_A" INTERRUPT_CONTROLLER_1ST_LEVEL_ENABLE_A interrupt_controller_1st_level_enable_a {
            0 19 "Enable_A" ENABLE_A;
        }
        0x35008 1 0x0 "Interrupt_controller_1st_level_disable_A" INTERRUPT_CONTROLLER_1ST_LEVEL_DISABLE_A interrupt_controller_1st_level_disable_a {
            0 19 "Disable_A" DISABLE_A;
        }
        0x3500c 1 0x0 "Interrupt_controller_1st_level_status_A" INTERRUPT_CONTROLLER_1ST_LEVEL_STATUS_A interrupt_controller_1st_level_status_a {
            0 19 "Status_A" STATUS_A;
        }
        0x35010 1 0x0 "Interrupt_controller_1st_level_irq_no_A" INTERRUPT_CONTROLLER_1ST_LEVEL_IRQ_NO_A interrupt_controller_1st_level_irq_no_a {
            0 3 "Irq_no_A" IRQ_NO_A;
        }
        0x35014 1 0x0 "Interrupt_controller_1st_level_irq_event_A" INTERRUPT_CONTROLLER_1ST_LEVEL_IRQ_EVENT_A interrupt_controller_1st_level_irq_event_a {
            0 6 "IRQ_Event0" IRQ_EVENT0;
            8 14 "IRQ_Event1" IRQ_EVENT1;
            16 22 "IRQ_Event2" IRQ_EVENT2;
            24 30 "IRQ_Event3" IRQ_EVENT3;
        }
        0x35018 1 0x0 "Interrupt_controller_1st_level_block_north_in_A_set" INTERRUPT_CONTROLLER_1ST_LEVEL_BLOCK_NORTH_IN_A_SET interrupt_controller_1st_level_block_north_in_a_set {
            0 15 "Set" SET;
        }
        0x3501c 1 0x0 "Interrupt_controller_1st_level_block_north_in_A_clear" INTERRUPT_CONTROLLER_1ST_LEVEL_BLOCK_NORTH_IN_A_CLEAR interrupt_controller_1st_level_block_north_in_a_clear {
            0 15 "Clear" CLEAR;
        }
        0x35020 1 0x0 "Interrupt_controller_1st_level_block_north_in_A_value" INTERRUPT_CONTROLLER_1ST_LEVEL_BLOCK_NORTH_IN_A_VALUE interrupt_controller_1st_level_block_north_in_a_value {
            0 15 "Value" VALUE;
        }
        0x35030 1 0x0 "Interrupt_controller_1st_level_mask_B" INTERRUPT_CONTROLLER_1ST_LEVEL_MASK_B interrupt_controller_1st_level_mask_b {
            0 19 "IRQ_Mask_B" IRQ_MASK_B;
        }
        0x35034 1 0x0 "Interrupt_controller_1st_level_enable_B" INTERRUPT_CONTROLLER_1ST_LEVEL_ENABLE_B interrupt_controller_1st_level_enable_b {
            0 19 "Enable_B" ENABLE_B;
        }
        0x35038 1 0x0 "Interrupt_controller_1st_level_disable_B" INTERRUPT_CONTROLLER_1ST_LEVEL_DISABLE_B interrupt_controller_1st_level_disable_b {
            0 19 "Disable_B" DISABLE_B;
        }
        0x3503c 1 0x0 "Interrupt_controller_1st_level_status_B" INTERRUPT_CONTROLLER_1ST_LEVEL_STATUS_B interrupt_controller_1st_level_status_b {
            0 19 "Status_B" STATUS_B;
        }
        0x35040 1 0x0 "Interrupt_controller_1st_level_irq_no_B" INTERRUPT_CONTROLLER_1ST_LEVEL_IRQ_NO_B interrupt_controller_1st_level_irq_no_b {
            0 3 "Irq_no_B" IRQ_NO_B;
        }
        0x35044 1 0x0 "Interrupt_controller_1st_level_irq_event_B" INTERRUPT_CONTROLLER_1ST_LEVEL_IRQ_EVENT_B interrupt_controller_1st_level_irq_event_b {
            0 6 "IRQ_Event0" IRQ_EVENT0;
            8 14 "IRQ_Event1" IRQ_EVENT1;
            16 22 "IRQ_Event2" IRQ_EVENT2;
            24 30 "IRQ_Event3" IRQ_EVENT3;
        }
        0x35048 1 0x0 "Interrupt_controller_1st_level_block_north_in_B_set" INTERRUPT_CONTROLLER_1ST_LEVEL_BLOCK_NORTH_IN_B_SET interrupt_controller_1st_level_block_north_in_b_set {
            0 15 "Set" SET;
        }
        0x3504c 1 0x0 "Interrupt_controller_1st_level_block_north_in_B_clear" INTERRUPT_CONTROLLER_1ST_LEVEL_BLOCK_NORTH_IN_B_CLEAR interrupt_controller_1st_level_block_north_in_b_clear {
            0 15 "Clear" CLEAR;
        }
        0x35050 1 0x0 "Interrupt_controller_1st_level_block_north_in_B_value" INTERRUPT_CONTROLLER_1ST_LEVEL_BLOCK_NORTH_IN_B_VALUE interrupt_controller_1st_level_block_north_in_b_value {
            0 15 "Value" VALUE;
        }
        0x36030 1 0x0 "Tile_Control" TILE_CONTROL tile_control {
            0 0 "Isolate_From_South" ISOLATE_FROM_SOUTH;
            1 1 "Isolate_From_West" ISOLATE_FROM_WEST;
            2 2 "Isolate_From_North" ISOLATE_FROM_NORTH;
            3 3 "Isolate_From_East" ISOLATE_FROM_EAST;
        }
        0x3f000 1 0x0 "Stream_Switch_Master_Config_Tile_Ctrl" STREAM_SWITCH_MASTER_CONFIG_TILE_CTRL stream_switch_master_config_tile_ctrl {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f004 1 0x0 "Stream_Switch_Master_Config_FIFO0" STREAM_SWITCH_MASTER_CONFIG_FIFO0 stream_switch_master_config_fifo0 {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f008 6 0x4 "Stream_Switch_Master_Config_South{}" STREAM_SWITCH_MASTER_CONFIG_SOUTHN stream_switch_master_config_southn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f020 4 0x4 "Stream_Switch_Master_Config_West{}" STREAM_SWITCH_MASTER_CONFIG_WESTN stream_switch_master_config_westn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f030 6 0x4 "Stream_Switch_Master_Config_North{}" STREAM_SWITCH_MASTER_CONFIG_NORTHN stream_switch_master_config_northn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f048 4 0x4 "Stream_Switch_Master_Config_East{}" STREAM_SWITCH_MASTER_CONFIG_EASTN stream_switch_master_config_eastn {
            0 6 "Configuration" CONFIGURATION;
            7 7 "Drop_Header" DROP_HEADER;
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Master_Enable" MASTER_ENABLE;
        }
        0x3f100 1 0x0 "Stream_Switch_Slave_Config_Tile_Ctrl" STREAM_SWITCH_SLAVE_CONFIG_TILE_CTRL stream_switch_slave_config_tile_ctrl {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f104 1 0x0 "Stream_Switch_Slave_Config_FIFO_0" STREAM_SWITCH_SLAVE_CONFIG_FIFO_0 stream_switch_slave_config_fifo_0 {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f108 8 0x4 "Stream_Switch_Slave_Config_South_{}" STREAM_SWITCH_SLAVE_CONFIG_SOUTH_N stream_switch_slave_config_south_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f128 4 0x4 "Stream_Switch_Slave_Config_West_{}" STREAM_SWITCH_SLAVE_CONFIG_WEST_N stream_switch_slave_config_west_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f138 4 0x4 "Stream_Switch_Slave_Config_North_{}" STREAM_SWITCH_SLAVE_CONFIG_NORTH_N stream_switch_slave_config_north_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f148 4 0x4 "Stream_Switch_Slave_Config_East_{}" STREAM_SWITCH_SLAVE_CONFIG_EAST_N stream_switch_slave_config_east_n {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f158 1 0x0 "Stream_Switch_Slave_Config_Trace" STREAM_SWITCH_SLAVE_CONFIG_TRACE stream_switch_slave_config_trace {
            30 30 "Packet_Enable" PACKET_ENABLE;
            31 31 "Slave_Enable" SLAVE_ENABLE;
        }
        0x3f200 4 0x4 "Stream_Switch_Slave_Tile_Ctrl_Slot{}" STREAM_SWITCH_SLAVE_TILE_CTRL_SLOTN stream_switch_slave_tile_ctrl_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f210 4 0x4 "Stream_Switch_Slave_FIFO_0_Slot{}" STREAM_SWITCH_SLAVE_FIFO_0_SLOTN stream_switch_slave_fifo_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f220 8 0x10 "Stream_Switch_Slave_South_{}_Slot0" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT0 stream_switch_slave_south_n_slot0 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f224 8 0x10 "Stream_Switch_Slave_South_{}_Slot1" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT1 stream_switch_slave_south_n_slot1 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f228 8 0x10 "Stream_Switch_Slave_South_{}_Slot2" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT2 stream_switch_slave_south_n_slot2 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f22c 8 0x10 "Stream_Switch_Slave_South_{}_Slot3" STREAM_SWITCH_SLAVE_SOUTH_N_SLOT3 stream_switch_slave_south_n_slot3 {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2a0 4 0x4 "Stream_Switch_Slave_West_0_Slot{}" STREAM_SWITCH_SLAVE_WEST_0_SLOTN stream_switch_slave_west_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2b0 4 0x4 "Stream_Switch_Slave_West_1_Slot{}" STREAM_SWITCH_SLAVE_WEST_1_SLOTN stream_switch_slave_west_1_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2c0 4 0x4 "Stream_Switch_Slave_West_2_Slot{}" STREAM_SWITCH_SLAVE_WEST_2_SLOTN stream_switch_slave_west_2_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2d0 4 0x4 "Stream_Switch_Slave_West_3_Slot{}" STREAM_SWITCH_SLAVE_WEST_3_SLOTN stream_switch_slave_west_3_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2e0 4 0x4 "Stream_Switch_Slave_North_0_Slot{}" STREAM_SWITCH_SLAVE_NORTH_0_SLOTN stream_switch_slave_north_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f2f0 4 0x4 "Stream_Switch_Slave_North_1_Slot{}" STREAM_SWITCH_SLAVE_NORTH_1_SLOTN stream_switch_slave_north_1_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f300 4 0x4 "Stream_Switch_Slave_North_2_Slot{}" STREAM_SWITCH_SLAVE_NORTH_2_SLOTN stream_switch_slave_north_2_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f310 4 0x4 "Stream_Switch_Slave_North_3_Slot{}" STREAM_SWITCH_SLAVE_NORTH_3_SLOTN stream_switch_slave_north_3_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f320 4 0x4 "Stream_Switch_Slave_East_0_Slot{}" STREAM_SWITCH_SLAVE_EAST_0_SLOTN stream_switch_slave_east_0_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f330 4 0x4 "Stream_Switch_Slave_East_1_Slot{}" STREAM_SWITCH_SLAVE_EAST_1_SLOTN stream_switch_slave_east_1_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f340 4 0x4 "Stream_Switch_Slave_East_2_Slot{}" STREAM_SWITCH_SLAVE_EAST_2_SLOTN stream_switch_slave_east_2_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f350 4 0x4 "Stream_Switch_Slave_East_3_Slot{}" STREAM_SWITCH_SLAVE_EAST_3_SLOTN stream_switch_slave_east_3_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f360 4 0x4 "Stream_Switch_Slave_Trace_Slot{}" STREAM_SWITCH_SLAVE_TRACE_SLOTN stream_switch_slave_trace_slotn {
            0 2 "arbit" ARBIT;
            4 5 "msel" MSEL;
            8 8 "enable" ENABLE;
            16 20 "mask" MASK;
            24 28 "id" ID;
        }
        0x3f800 2 0x10 "Stream_Switch_Deterministic_Merge_arb{}_slave0_1" STREAM_SWITCH_DETERMINISTIC_MERGE_ARBN_SLAVE0_1 stream_switch_deterministic_merge_arbn_slave0_1 {
            0 4 "Slave_ID_0" SLAVE_ID_0;
            8 13 "Packet_Count_0" PACKET_COUNT_0;
            16 20 "Slave_ID_1" SLAVE_ID_1;
            24 29 "Packet_Count_1" PACKET_COUNT_1;
        }
        0x3f804 2 0x10 "Stream_Switch_Deterministic_Merge_arb{}_slave2_3" STREAM_SWITCH_DETERMINISTIC_MERGE_ARBN_SLAVE2_3 stream_switch_deterministic_merge_arbn_slave2_3 {
            0 4 "Slave_ID_2" SLAVE_ID_2;
            8 13 "Packet_Count_2" PACKET_COUNT_2;
            16 20 "Slave_ID_3" SLAVE_ID_3;
            24 29 "Packet_Count_3" PACKET_COUNT_3;
        }
        0x3f808 2 0x10 "Stream_Switch_Deterministic_Merge_arb{}_ctrl" STREAM_SWITCH_DETERMINISTIC_MERGE_ARBN_CTRL stream_switch_deterministic_merge_arbn_ctrl {
            0 0 "Enable" ENABLE;
        }
        0x3ff00 1 0x0 "Stream_Switch_Event_Port_Selection_0" STREAM_SWITCH_EVENT_PORT_SELECTION_0 stream_switch_event_port_selection_0 {
            0 4 "Port_0_ID" PORT_0_ID;
            5 5 "Port_0_Master_Slave" PORT_0_MASTER_SLAVE;
            8 12 "Port_1_ID" PORT_1_ID;
            13 13 "Port_1_Master_Slave" PORT_1_MASTER_SLAVE;
            16 20 "Port_2_ID" PORT_2_ID;
            21 21 "Port_2_Master_Slave" PORT_2_MASTER_SLAVE;
            24 28 "Port_3_ID" PORT_3_ID;
            29 29 "Port_3_Master_Slave" PORT_3_MASTER_SLAVE;
        }
        0x3ff04 1 0x0 "Stream_Switch_Event_Port_Selection_1" STREAM_SWITCH_EVENT_PORT_SELECTION_1 stream_switch_event_port_selection_1 {
            0 4 "Port_4_ID" PORT_4_ID;
            5 5 "Port_4_Master_Slave" PORT_4_MASTER_SLAVE;
            8 12 "Port_5_ID" PORT_5_ID;
            13 13 "Port_5_Master_Slave" PORT_5_MASTER_SLAVE;
            16 20 "Port_6_ID" PORT_6_ID;
            21 21 "Port_6_Master_Slave" PORT_6_MASTER_SLAVE;
            24 28 "Port_7_ID" PORT_7_ID;
            29 29 "Port_7_Master_Slave" PORT_7_MASTER_SLAVE;
        }
        0x3ff30 1 0x0 "Control_Packet_Handler_Status" CONTROL_PACKET_HANDLER_STATUS control_packet_handler_status {
            0 0 "First_Header_Parity_Error" FIRST_HEADER_PARITY_ERROR;
            1 1 "Second_Header_Parity_Error" SECOND_HEADER_PARITY_ERROR;
            2 2 "SLVERR_On_Access" SLVERR_ON_ACCESS;
            3 3 "Tlast_Error" TLAST_ERROR;
        }
        0x40000 1 0x0 "Lock_Request" LOCK_REQUEST lock_request {
            0 0 "Request_Result" REQUEST_RESULT;
        }
        0xfff00 1 0x0 "Module_Clock_Control_0" MODULE_CLOCK_CONTROL_0 module_clock_control_0 {
            0 0 "Stream_Switch_Clock_Enable" STREAM_SWITCH_CLOCK_ENABLE;
            1 1 "PL_Interface_Clock_Enable" PL_INTERFACE_CLOCK_ENABLE;
            3 3 "CTE_Clock_Enable" CTE_CLOCK_ENABLE;
            4 4 "Stream_Switch_Adaptive_Clock_Gate" STREAM_SWITCH_ADAPTIVE_CLOCK_GATE;
            5 5 "DMA_Adaptive_Clock_Gate" DMA_ADAPTIVE_CLOCK_GATE;
        }
        0xfff04 1 0x0 "Module_Clock_Control_1" MODULE_CLOCK_CONTROL_1 module_clock_control_1 {
            0 0 "NoC_Module_Clock_Enable" NOC_MODULE_CLOCK_ENABLE;
        }
        0xfff14 1 0x0 "Module_Reset_Control_1" MODULE_RESET_CONTROL_1 module_reset_control_1 {
            0 0 "NoC_Module_Reset" NOC_MODULE_RESET;
        }
        0xfff20 1 0x0 "Column_Clock_Control" COLUMN_CLOCK_CONTROL column_clock_control {
            0 0 "Clock_Buffer_Enable" CLOCK_BUFFER_ENABLE;
        }
        0xfff28 1 0x0 "AIE_Tile_Column_Reset" AIE_TILE_COLUMN_RESET aie_tile_column_reset {
            0 0 "Reset" RESET;
        }
    }
}

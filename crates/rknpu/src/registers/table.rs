// Generated from registers.tsv by tests/registers.rs: edit the list, then run
// BLESS=1 cargo test -p ferrite-rknpu --test registers

use super::{Block, Kind, RegisterInfo, registers};

registers! {
    Pc pc {
        0x0000 VERSION version Plain {
            0 31 VERSION;
        }
        0x0004 VERSION_NUM version_num Plain {
            0 31 VERSION_NUM;
        }
        0x0008 OPERATION_ENABLE operation_enable Plain {
            0 0 OP_EN;
            1 31 RESERVED_0;
        }
        0x0010 BASE_ADDRESS base_address NextProgram {
            0 0 PC_SEL;
            1 3 RESERVED_0;
            4 31 PC_SOURCE_ADDR;
        }
        0x0014 REGISTER_AMOUNTS register_amounts Plain {
            0 15 PC_DATA_AMOUNT;
            16 31 RESERVED_0;
        }
        0x0020 INTERRUPT_MASK interrupt_mask Plain {
            0 0 CNA_FEATURE_0;
            1 1 CNA_FEATURE_1;
            2 2 CNA_WEIGHT_0;
            3 3 CNA_WEIGHT_1;
            4 4 CNA_CSC_0;
            5 5 CNA_CSC_1;
            6 6 CORE_0;
            7 7 CORE_1;
            8 8 DPU_0;
            9 9 DPU_1;
            10 10 PPU_0;
            11 11 PPU_1;
            12 12 DMA_READ_ERROR;
            13 13 DMA_WRITE_ERROR;
            14 31 RESERVED_0;
        }
        0x0024 INTERRUPT_CLEAR interrupt_clear Plain {
            0 0 CNA_FEATURE_0;
            1 1 CNA_FEATURE_1;
            2 2 CNA_WEIGHT_0;
            3 3 CNA_WEIGHT_1;
            4 4 CNA_CSC_0;
            5 5 CNA_CSC_1;
            6 6 CORE_0;
            7 7 CORE_1;
            8 8 DPU_0;
            9 9 DPU_1;
            10 10 PPU_0;
            11 11 PPU_1;
            12 12 DMA_READ_ERROR;
            13 13 DMA_WRITE_ERROR;
            14 31 RESERVED_0;
        }
        0x0028 INTERRUPT_STATUS interrupt_status Plain {
            0 0 CNA_FEATURE_0;
            1 1 CNA_FEATURE_1;
            2 2 CNA_WEIGHT_0;
            3 3 CNA_WEIGHT_1;
            4 4 CNA_CSC_0;
            5 5 CNA_CSC_1;
            6 6 CORE_0;
            7 7 CORE_1;
            8 8 DPU_0;
            9 9 DPU_1;
            10 10 PPU_0;
            11 11 PPU_1;
            12 12 DMA_READ_ERROR;
            13 13 DMA_WRITE_ERROR;
            14 31 RESERVED_0;
        }
        0x002c INTERRUPT_RAW_STATUS interrupt_raw_status Plain {
            0 0 CNA_FEATURE_0;
            1 1 CNA_FEATURE_1;
            2 2 CNA_WEIGHT_0;
            3 3 CNA_WEIGHT_1;
            4 4 CNA_CSC_0;
            5 5 CNA_CSC_1;
            6 6 CORE_0;
            7 7 CORE_1;
            8 8 DPU_0;
            9 9 DPU_1;
            10 10 PPU_0;
            11 11 PPU_1;
            12 12 DMA_READ_ERROR;
            13 13 DMA_WRITE_ERROR;
            14 31 RESERVED_0;
        }
        0x0030 TASK_CON task_con Plain {
            0 11 TASK_NUMBER;
            12 12 TASK_PP_EN;
            13 13 TASK_COUNT_CLEAR;
            14 31 RESERVED_0;
        }
        0x0034 TASK_DMA_BASE_ADDR task_dma_base_addr Plain {
            0 3 RESERVED_0;
            4 31 DMA_BASE_ADDR;
        }
        0x003c TASK_STATUS task_status Plain {
            0 27 TASK_STATUS;
            28 31 RESERVED_0;
        }
    }
    Cna cna {
        0x1000 S_STATUS s_status Plain {
            0 1 STATUS_0;
            2 15 RESERVED_1;
            16 17 STATUS_1;
            18 31 RESERVED_0;
        }
        0x1004 S_POINTER s_pointer Plain {
            0 0 POINTER;
            1 1 POINTER_PP_EN;
            2 2 EXECUTER_PP_EN;
            3 3 POINTER_PP_MODE;
            4 4 POINTER_PP_CLEAR;
            5 5 EXECUTER_PP_CLEAR;
            6 15 RESERVED_1;
            16 16 EXECUTER;
            17 31 RESERVED_0;
        }
        0x1008 OPERATION_ENABLE operation_enable Plain {
            0 0 OP_EN;
            1 31 RESERVED_0;
        }
        0x100c CONV_CON1 conv_con1 Plain {
            0 3 CONV_MODE;
            4 6 IN_PRECISION;
            7 9 PROC_PRECISION;
            10 11 RESERVED_2;
            12 15 ARGB_IN;
            16 16 DECONV;
            17 28 RESERVED_1;
            29 29 GROUP_LINE_OFF;
            30 30 NONALIGN_DMA;
            31 31 RESERVED_0;
        }
        0x1010 CONV_CON2 conv_con2 Plain {
            0 0 CMD_FIFO_SRST;
            1 1 CSC_DO_EN;
            2 2 CSC_WO_EN;
            3 3 RESERVED_2;
            4 13 FEATURE_GRAINS;
            14 15 RESERVED_1;
            16 23 KERNEL_GROUP;
            24 31 RESERVED_0;
        }
        0x1014 CONV_CON3 conv_con3 Plain {
            0 2 CONV_X_STRIDE;
            3 5 CONV_Y_STRIDE;
            6 7 RESERVED_3;
            8 10 DECONV_X_STRIDE;
            11 13 DECONV_Y_STRIDE;
            14 15 RESERVED_2;
            16 20 ATROUS_X_DILATION;
            21 25 ATROUS_Y_DILATION;
            26 27 RESERVED_1;
            28 30 NN_MODE;
            31 31 RESERVED_0;
        }
        0x1020 DATA_SIZE0 data_size0 Plain {
            0 10 DATAIN_HEIGHT;
            11 15 RESERVED_1;
            16 26 DATAIN_WIDTH;
            27 31 RESERVED_0;
        }
        0x1024 DATA_SIZE1 data_size1 Plain {
            0 15 DATAIN_CHANNEL;
            16 29 DATAIN_CHANNEL_REAL;
            30 31 RESERVED_0;
        }
        0x1028 DATA_SIZE2 data_size2 Plain {
            0 10 DATAOUT_WIDTH;
            11 31 RESERVED_0;
        }
        0x102c DATA_SIZE3 data_size3 Plain {
            0 21 DATAOUT_ATOMICS;
            22 23 SURF_MODE;
            24 31 RESERVED_0;
        }
        0x1030 WEIGHT_SIZE0 weight_size0 Plain {
            0 31 WEIGHT_BYTES;
        }
        0x1034 WEIGHT_SIZE1 weight_size1 Plain {
            0 18 WEIGHT_BYTES_PER_KERNEL;
            19 31 RESERVED_0;
        }
        0x1038 WEIGHT_SIZE2 weight_size2 Plain {
            0 13 WEIGHT_KERNELS;
            14 15 RESERVED_2;
            16 20 WEIGHT_HEIGHT;
            21 23 RESERVED_1;
            24 28 WEIGHT_WIDTH;
            29 31 RESERVED_0;
        }
        0x1040 CBUF_CON0 cbuf_con0 Plain {
            0 3 DATA_BANK;
            4 7 WEIGHT_BANK;
            8 10 FC_DATA_BANK;
            11 11 RESERVED_1;
            12 12 DATA_REUSE;
            13 13 WEIGHT_REUSE;
            14 31 RESERVED_0;
        }
        0x1044 CBUF_CON1 cbuf_con1 Plain {
            0 13 DATA_ENTRIES;
            14 31 RESERVED_0;
        }
        0x104c CVT_CON0 cvt_con0 Plain {
            0 0 CVT_BYPASS;
            1 1 CVT_TYPE;
            2 2 ROUND_TYPE;
            3 3 DATA_SIGN;
            4 9 CVT_TRUNCATE_0;
            10 15 CVT_TRUNCATE_1;
            16 21 CVT_TRUNCATE_2;
            22 27 CVT_TRUNCATE_3;
            28 31 RESERVED_0;
        }
        0x1050 CVT_CON1 cvt_con1 Plain {
            0 15 CVT_OFFSET0;
            16 31 CVT_SCALE0;
        }
        0x1054 CVT_CON2 cvt_con2 Plain {
            0 15 CVT_OFFSET1;
            16 31 CVT_SCALE1;
        }
        0x1058 CVT_CON3 cvt_con3 Plain {
            0 15 CVT_OFFSET2;
            16 31 CVT_SCALE2;
        }
        0x105c CVT_CON4 cvt_con4 Plain {
            0 15 CVT_OFFSET3;
            16 31 CVT_SCALE3;
        }
        0x1060 FC_CON0 fc_con0 Plain {
            0 0 FC_SKIP_EN;
            1 15 RESERVED_0;
            16 31 FC_SKIP_DATA;
        }
        0x1064 FC_CON1 fc_con1 Plain {
            0 16 DATA_OFFSET;
            17 31 RESERVED_0;
        }
        0x1068 PAD_CON0 pad_con0 Plain {
            0 3 PAD_TOP;
            4 7 PAD_LEFT;
            8 31 RESERVED_0;
        }
        0x1070 FEATURE_DATA_ADDR feature_data_addr Read {
            0 31 FEATURE_BASE_ADDR;
        }
        0x1074 FC_CON2 fc_con2 Plain {
            0 16 WEIGHT_OFFSET;
            17 31 RESERVED_0;
        }
        0x1078 DMA_CON0 dma_con0 Plain {
            0 3 DATA_BURST_LEN;
            4 15 RESERVED_1;
            16 19 WEIGHT_BURST_LEN;
            20 30 RESERVED_0;
            31 31 OV4K_BYPASS;
        }
        0x107c DMA_CON1 dma_con1 Plain {
            0 27 LINE_STRIDE;
            28 31 RESERVED_0;
        }
        0x1080 DMA_CON2 dma_con2 Plain {
            0 27 SURF_STRIDE;
            28 31 RESERVED_0;
        }
        0x1084 FC_DATA_SIZE0 fc_data_size0 Plain {
            0 10 DMA_HEIGHT;
            11 15 RESERVED_1;
            16 29 DMA_WIDTH;
            30 31 RESERVED_0;
        }
        0x1088 FC_DATA_SIZE1 fc_data_size1 Plain {
            0 15 DMA_CHANNEL;
            16 31 RESERVED_0;
        }
        0x1090 CLK_GATE clk_gate Plain {
            0 0 CNA_FEATURE_DISABLE_CLKGATE;
            1 1 CNA_WEIGHT_DISABLE_CLKGATE;
            2 2 CSC_DISABLE_CLKGATE;
            3 3 RESERVED_1;
            4 4 CBUF_CS_DISABLE_CLKGATE;
            5 31 RESERVED_0;
        }
        0x1100 DCOMP_CTRL dcomp_ctrl Plain {
            0 2 DECOMP_CONTROL;
            3 3 WT_DEC_BYPASS;
            4 31 RESERVED_0;
        }
        0x1104 DCOMP_REGNUM dcomp_regnum Plain {
            0 31 DCOMP_REGNUM;
        }
        0x1110 DCOMP_ADDR0 dcomp_addr0 Read {
            0 31 DECOMPRESS_ADDR0;
        }
        0x1140 DCOMP_AMOUNT0 dcomp_amount0 Plain {
            0 31 DCOMP_AMOUNT0;
        }
        0x1144 DCOMP_AMOUNT1 dcomp_amount1 Plain {
            0 31 DCOMP_AMOUNT1;
        }
        0x1148 DCOMP_AMOUNT2 dcomp_amount2 Plain {
            0 31 DCOMP_AMOUNT2;
        }
        0x114c DCOMP_AMOUNT3 dcomp_amount3 Plain {
            0 31 DCOMP_AMOUNT3;
        }
        0x1150 DCOMP_AMOUNT4 dcomp_amount4 Plain {
            0 31 DCOMP_AMOUNT4;
        }
        0x1154 DCOMP_AMOUNT5 dcomp_amount5 Plain {
            0 31 DCOMP_AMOUNT5;
        }
        0x1158 DCOMP_AMOUNT6 dcomp_amount6 Plain {
            0 31 DCOMP_AMOUNT6;
        }
        0x115c DCOMP_AMOUNT7 dcomp_amount7 Plain {
            0 31 DCOMP_AMOUNT7;
        }
        0x1160 DCOMP_AMOUNT8 dcomp_amount8 Plain {
            0 31 DCOMP_AMOUNT8;
        }
        0x1164 DCOMP_AMOUNT9 dcomp_amount9 Plain {
            0 31 DCOMP_AMOUNT9;
        }
        0x1168 DCOMP_AMOUNT10 dcomp_amount10 Plain {
            0 31 DCOMP_AMOUNT10;
        }
        0x116c DCOMP_AMOUNT11 dcomp_amount11 Plain {
            0 31 DCOMP_AMOUNT11;
        }
        0x1170 DCOMP_AMOUNT12 dcomp_amount12 Plain {
            0 31 DCOMP_AMOUNT12;
        }
        0x1174 DCOMP_AMOUNT13 dcomp_amount13 Plain {
            0 31 DCOMP_AMOUNT13;
        }
        0x1178 DCOMP_AMOUNT14 dcomp_amount14 Plain {
            0 31 DCOMP_AMOUNT14;
        }
        0x117c DCOMP_AMOUNT15 dcomp_amount15 Plain {
            0 31 DCOMP_AMOUNT15;
        }
        0x1180 CVT_CON5 cvt_con5 Plain {
            0 31 PER_CHANNEL_CVT_EN;
        }
        0x1184 PAD_CON1 pad_con1 Plain {
            0 31 PAD_VALUE;
        }
    }
    Core core {
        0x3000 S_STATUS s_status Plain {
            0 1 STATUS_0;
            2 15 RESERVED_1;
            16 17 STATUS_1;
            18 31 RESERVED_0;
        }
        0x3004 S_POINTER s_pointer Plain {
            0 0 POINTER;
            1 1 POINTER_PP_EN;
            2 2 EXECUTER_PP_EN;
            3 3 POINTER_PP_MODE;
            4 4 POINTER_PP_CLEAR;
            5 5 EXECUTER_PP_CLEAR;
            6 15 RESERVED_1;
            16 16 EXECUTER;
            17 31 RESERVED_0;
        }
        0x3008 OPERATION_ENABLE operation_enable Plain {
            0 0 OP_EN;
            1 31 RESERVED_0;
        }
        0x300c MAC_GATING mac_gating Plain {
            0 26 SLCG_OP_EN;
            27 31 RESERVED_0;
        }
        0x3010 MISC_CFG misc_cfg Plain {
            0 0 QD_EN;
            1 1 DW_EN;
            2 7 RESERVED_2;
            8 10 PROC_PRECISION;
            11 13 RESERVED_1;
            14 19 SOFT_GATING;
            20 31 RESERVED_0;
        }
        0x3014 DATAOUT_SIZE_0 dataout_size_0 Plain {
            0 15 DATAOUT_WIDTH;
            16 31 DATAOUT_HEIGHT;
        }
        0x3018 DATAOUT_SIZE_1 dataout_size_1 Plain {
            0 15 DATAOUT_CHANNEL;
            16 31 RESERVED_0;
        }
        0x301c CLIP_TRUNCATE clip_truncate Plain {
            0 4 CLIP_TRUNCATE;
            5 5 RESERVED_1;
            6 6 ROUND_TYPE;
            7 31 RESERVED_0;
        }
    }
    Dpu dpu {
        0x4000 S_STATUS s_status Plain {
            0 1 STATUS_0;
            2 15 RESERVED_1;
            16 17 STATUS_1;
            18 31 RESERVED_0;
        }
        0x4004 S_POINTER s_pointer Plain {
            0 0 POINTER;
            1 1 POINTER_PP_EN;
            2 2 EXECUTER_PP_EN;
            3 3 POINTER_PP_MODE;
            4 4 POINTER_PP_CLEAR;
            5 5 EXECUTER_PP_CLEAR;
            6 15 RESERVED_1;
            16 16 EXECUTER;
            17 31 RESERVED_0;
        }
        0x4008 OPERATION_ENABLE operation_enable Plain {
            0 0 OP_EN;
            1 31 RESERVED_0;
        }
        0x400c FEATURE_MODE_CFG feature_mode_cfg Plain {
            0 0 FLYING_MODE;
            1 2 OUTPUT_MODE;
            3 4 CONV_MODE;
            5 8 BURST_LEN;
            9 24 SURF_LEN;
            25 25 NONALIGN;
            26 29 RGP_TYPE;
            30 30 TP_EN;
            31 31 COMB_USE;
        }
        0x4010 DATA_FORMAT data_format Plain {
            0 2 PROC_PRECISION;
            3 3 MC_SURF_OUT;
            4 9 BS_MUL_SHIFT_VALUE_NEG;
            10 15 BN_MUL_SHIFT_VALUE_NEG;
            16 25 EW_TRUNCATE_NEG;
            26 28 IN_PRECISION;
            29 31 OUT_PRECISION;
        }
        0x4014 OFFSET_PEND offset_pend Plain {
            0 15 OFFSET_PEND;
            16 31 RESERVED_0;
        }
        0x4020 DST_BASE_ADDR dst_base_addr Write {
            0 31 DST_BASE_ADDR;
        }
        0x4024 DST_SURF_STRIDE dst_surf_stride Plain {
            0 3 RESERVED_0;
            4 31 DST_SURF_STRIDE;
        }
        0x4030 DATA_CUBE_WIDTH data_cube_width Plain {
            0 12 WIDTH;
            13 31 RESERVED_0;
        }
        0x4034 DATA_CUBE_HEIGHT data_cube_height Plain {
            0 12 HEIGHT;
            13 21 RESERVED_1;
            22 24 MINMAX_CTL;
            25 31 RESERVED_0;
        }
        0x4038 DATA_CUBE_NOTCH_ADDR data_cube_notch_addr Plain {
            0 12 NOTCH_ADDR_0;
            13 15 RESERVED_1;
            16 28 NOTCH_ADDR_1;
            29 31 RESERVED_0;
        }
        0x403c DATA_CUBE_CHANNEL data_cube_channel Plain {
            0 12 CHANNEL;
            13 15 RESERVED_1;
            16 28 ORIG_CHANNEL;
            29 31 RESERVED_0;
        }
        0x4040 BS_CFG bs_cfg Plain {
            0 0 BS_BYPASS;
            1 1 BS_ALU_BYPASS;
            2 3 RESERVED_2;
            4 4 BS_MUL_BYPASS;
            5 5 BS_MUL_PRELU;
            6 6 BS_RELU_BYPASS;
            7 7 BS_RELUX_EN;
            8 8 BS_ALU_SRC;
            9 15 RESERVED_1;
            16 19 BS_ALU_ALGO;
            20 31 RESERVED_0;
        }
        0x4044 BS_ALU_CFG bs_alu_cfg Plain {
            0 31 BS_ALU_OPERAND;
        }
        0x4048 BS_MUL_CFG bs_mul_cfg Plain {
            0 0 BS_MUL_SRC;
            1 1 BS_TRUNCATE_SRC;
            2 7 RESERVED_1;
            8 13 BS_MUL_SHIFT_VALUE;
            14 15 RESERVED_0;
            16 31 BS_MUL_OPERAND;
        }
        0x404c BS_RELUX_CMP_VALUE bs_relux_cmp_value Plain {
            0 31 BS_RELUX_CMP_DAT;
        }
        0x4050 BS_OW_CFG bs_ow_cfg Plain {
            0 0 OW_SRC;
            1 1 OD_BYPASS;
            2 4 SIZE_E_0;
            5 7 SIZE_E_1;
            8 10 SIZE_E_2;
            11 26 RESERVED_0;
            27 27 TP_ORG_EN;
            28 31 RGP_CNTER;
        }
        0x4054 BS_OW_OP bs_ow_op Plain {
            0 15 OW_OP;
            16 31 RESERVED_0;
        }
        0x4058 WDMA_SIZE_0 wdma_size_0 Plain {
            0 12 CHANNEL_WDMA;
            13 15 RESERVED_1;
            16 26 SIZE_C_WDMA;
            27 27 TP_PRECISION;
            28 31 RESERVED_0;
        }
        0x405c WDMA_SIZE_1 wdma_size_1 Plain {
            0 12 WIDTH_WDMA;
            13 15 RESERVED_1;
            16 28 HEIGHT_WDMA;
            29 31 RESERVED_0;
        }
        0x4060 BN_CFG bn_cfg Plain {
            0 0 BN_BYPASS;
            1 1 BN_ALU_BYPASS;
            2 3 RESERVED_2;
            4 4 BN_MUL_BYPASS;
            5 5 BN_MUL_PRELU;
            6 6 BN_RELU_BYPASS;
            7 7 BN_RELUX_EN;
            8 8 BN_ALU_SRC;
            9 15 RESERVED_1;
            16 19 BN_ALU_ALGO;
            20 31 RESERVED_0;
        }
        0x4064 BN_ALU_CFG bn_alu_cfg Plain {
            0 31 BN_ALU_OPERAND;
        }
        0x4068 BN_MUL_CFG bn_mul_cfg Plain {
            0 0 BN_MUL_SRC;
            1 1 BN_TRUNCATE_SRC;
            2 7 RESERVED_1;
            8 13 BN_MUL_SHIFT_VALUE;
            14 15 RESERVED_0;
            16 31 BN_MUL_OPERAND;
        }
        0x406c BN_RELUX_CMP_VALUE bn_relux_cmp_value Plain {
            0 31 BN_RELUX_CMP_DAT;
        }
        0x4070 EW_CFG ew_cfg Plain {
            0 0 EW_BYPASS;
            1 1 EW_OP_BYPASS;
            2 2 EW_OP_TYPE;
            3 4 RESERVED_2;
            5 5 EW_MUL_PRELU;
            6 6 EW_OP_SRC;
            7 7 EW_LUT_BYPASS;
            8 8 EW_OP_CVT_BYPASS;
            9 9 EW_RELU_BYPASS;
            10 10 EW_RELUX_EN;
            11 15 RESERVED_1;
            16 19 EW_ALU_ALGO;
            20 20 EW_BINARY_EN;
            21 21 EW_EQUAL_EN;
            22 23 EDATA_SIZE;
            24 27 RESERVED_0;
            28 29 EW_DATA_MODE;
            30 30 EW_CVT_ROUND;
            31 31 EW_CVT_TYPE;
        }
        0x4074 EW_CVT_OFFSET_VALUE ew_cvt_offset_value Plain {
            0 31 EW_OP_CVT_OFFSET;
        }
        0x4078 EW_CVT_SCALE_VALUE ew_cvt_scale_value Plain {
            0 15 EW_OP_CVT_SCALE;
            16 21 EW_OP_CVT_SHIFT;
            22 31 EW_TRUNCATE;
        }
        0x407c EW_RELUX_CMP_VALUE ew_relux_cmp_value Plain {
            0 31 EW_RELUX_CMP_DAT;
        }
        0x4080 OUT_CVT_OFFSET out_cvt_offset Plain {
            0 31 OUT_CVT_OFFSET;
        }
        0x4084 OUT_CVT_SCALE out_cvt_scale Plain {
            0 15 OUT_CVT_SCALE;
            16 16 FP32TOFP16_EN;
            17 31 RESERVED_0;
        }
        0x4088 OUT_CVT_SHIFT out_cvt_shift Plain {
            0 11 OUT_CVT_SHIFT;
            12 19 MINUS_EXP;
            20 29 RESERVED_0;
            30 30 CVT_ROUND;
            31 31 CVT_TYPE;
        }
        0x4090 EW_OP_VALUE_0 ew_op_value_0 Plain {
            0 31 EW_OPERAND_0;
        }
        0x4094 EW_OP_VALUE_1 ew_op_value_1 Plain {
            0 31 EW_OPERAND_1;
        }
        0x4098 EW_OP_VALUE_2 ew_op_value_2 Plain {
            0 31 EW_OPERAND_2;
        }
        0x409c EW_OP_VALUE_3 ew_op_value_3 Plain {
            0 31 EW_OPERAND_3;
        }
        0x40a0 EW_OP_VALUE_4 ew_op_value_4 Plain {
            0 31 EW_OPERAND_4;
        }
        0x40a4 EW_OP_VALUE_5 ew_op_value_5 Plain {
            0 31 EW_OPERAND_5;
        }
        0x40a8 EW_OP_VALUE_6 ew_op_value_6 Plain {
            0 31 EW_OPERAND_6;
        }
        0x40ac EW_OP_VALUE_7 ew_op_value_7 Plain {
            0 31 EW_OPERAND_7;
        }
        0x40c0 SURFACE_ADD surface_add Plain {
            0 3 RESERVED_0;
            4 31 SURF_ADD;
        }
        0x4100 LUT_ACCESS_CFG lut_access_cfg Plain {
            0 9 LUT_ADDR;
            10 15 RESERVED_1;
            16 16 LUT_TABLE_ID;
            17 17 LUT_ACCESS_TYPE;
            18 31 RESERVED_0;
        }
        0x4104 LUT_ACCESS_DATA lut_access_data Plain {
            0 15 LUT_ACCESS_DATA;
            16 31 RESERVED_0;
        }
        0x4108 LUT_CFG lut_cfg Plain {
            0 0 LUT_ROAD_SEL;
            1 1 LUT_EXPAND_EN;
            2 3 LUT_LO_LE_MUX;
            4 4 LUT_UFLOW_PRIORITY;
            5 5 LUT_OFLOW_PRIORITY;
            6 6 LUT_HYBRID_PRIORITY;
            7 7 LUT_CAL_SEL;
            8 31 RESERVED_0;
        }
        0x410c LUT_INFO lut_info Plain {
            0 7 RESERVED_1;
            8 15 LUT_LE_INDEX_SELECT;
            16 23 LUT_LO_INDEX_SELECT;
            24 31 RESERVED_0;
        }
        0x4110 LUT_LE_START lut_le_start Plain {
            0 31 LUT_LE_START;
        }
        0x4114 LUT_LE_END lut_le_end Plain {
            0 31 LUT_LE_END;
        }
        0x4118 LUT_LO_START lut_lo_start Plain {
            0 31 LUT_LO_START;
        }
        0x411c LUT_LO_END lut_lo_end Plain {
            0 31 LUT_LO_END;
        }
        0x4120 LUT_LE_SLOPE_SCALE lut_le_slope_scale Plain {
            0 15 LUT_LE_SLOPE_UFLOW_SCALE;
            16 31 LUT_LE_SLOPE_OFLOW_SCALE;
        }
        0x4124 LUT_LE_SLOPE_SHIFT lut_le_slope_shift Plain {
            0 4 LUT_LE_SLOPE_UFLOW_SHIFT;
            5 9 LUT_LE_SLOPE_OFLOW_SHIFT;
            10 31 RESERVED_0;
        }
        0x4128 LUT_LO_SLOPE_SCALE lut_lo_slope_scale Plain {
            0 15 LUT_LO_SLOPE_UFLOW_SCALE;
            16 31 LUT_LO_SLOPE_OFLOW_SCALE;
        }
        0x412c LUT_LO_SLOPE_SHIFT lut_lo_slope_shift Plain {
            0 4 LUT_LO_SLOPE_UFLOW_SHIFT;
            5 9 LUT_LO_SLOPE_OFLOW_SHIFT;
            10 31 RESERVED_0;
        }
    }
    DpuRdma dpu_rdma {
        0x5000 RDMA_S_STATUS rdma_s_status Plain {
            0 1 STATUS_0;
            2 15 RESERVED_1;
            16 17 STATUS_1;
            18 31 RESERVED_0;
        }
        0x5004 RDMA_S_POINTER rdma_s_pointer Plain {
            0 0 POINTER;
            1 1 POINTER_PP_EN;
            2 2 EXECUTER_PP_EN;
            3 3 POINTER_PP_MODE;
            4 4 POINTER_PP_CLEAR;
            5 5 EXECUTER_PP_CLEAR;
            6 15 RESERVED_1;
            16 16 EXECUTER;
            17 31 RESERVED_0;
        }
        0x5008 RDMA_OPERATION_ENABLE rdma_operation_enable Plain {
            0 0 OP_EN;
            1 31 RESERVED_0;
        }
        0x500c RDMA_DATA_CUBE_WIDTH rdma_data_cube_width Plain {
            0 12 WIDTH;
            13 31 RESERVED_0;
        }
        0x5010 RDMA_DATA_CUBE_HEIGHT rdma_data_cube_height Plain {
            0 12 HEIGHT;
            13 15 RESERVED_1;
            16 28 EW_LINE_NOTCH_ADDR;
            29 31 RESERVED_0;
        }
        0x5014 RDMA_DATA_CUBE_CHANNEL rdma_data_cube_channel Plain {
            0 12 CHANNEL;
            13 31 RESERVED_0;
        }
        0x5018 RDMA_SRC_BASE_ADDR rdma_src_base_addr Read {
            0 31 SRC_BASE_ADDR;
        }
        0x501c RDMA_BRDMA_CFG rdma_brdma_cfg Plain {
            0 0 RESERVED_1;
            1 4 BRDMA_DATA_USE;
            5 31 RESERVED_0;
        }
        0x5020 RDMA_BS_BASE_ADDR rdma_bs_base_addr Read {
            0 31 BS_BASE_ADDR;
        }
        0x5028 RDMA_NRDMA_CFG rdma_nrdma_cfg Plain {
            0 0 RESERVED_1;
            1 4 NRDMA_DATA_USE;
            5 31 RESERVED_0;
        }
        0x502c RDMA_BN_BASE_ADDR rdma_bn_base_addr Read {
            0 31 BN_BASE_ADDR;
        }
        0x5034 RDMA_ERDMA_CFG rdma_erdma_cfg Plain {
            0 0 ERDMA_DISABLE;
            1 1 OV4K_BYPASS;
            2 3 ERDMA_DATA_SIZE;
            4 27 RESERVED_0;
            28 28 ERDMA_NONALIGN;
            29 29 ERDMA_SURF_MODE;
            30 31 ERDMA_DATA_MODE;
        }
        0x5038 RDMA_EW_BASE_ADDR rdma_ew_base_addr Read {
            0 31 EW_BASE_ADDR;
        }
        0x5040 RDMA_EW_SURF_STRIDE rdma_ew_surf_stride Plain {
            0 3 RESERVED_0;
            4 31 EW_SURF_STRIDE;
        }
        0x5044 RDMA_FEATURE_MODE_CFG rdma_feature_mode_cfg Plain {
            0 0 FLYING_MODE;
            1 2 CONV_MODE;
            3 3 MRDMA_FP16TOFP32_EN;
            4 4 MRDMA_DISABLE;
            5 7 PROC_PRECISION;
            8 10 COMB_USE;
            11 14 BURST_LEN;
            15 17 IN_PRECISION;
            18 31 RESERVED_0;
        }
        0x5048 RDMA_SRC_DMA_CFG rdma_src_dma_cfg Plain {
            0 2 KERNEL_WIDTH;
            3 5 KERNEL_HEIGHT;
            6 8 KERNEL_STRIDE_WIDTH;
            9 11 KERNEL_STRIDE_HEIGHT;
            12 12 UNPOOLING_EN;
            13 13 POOLING_METHOD;
            14 18 RESERVED_0;
            19 31 LINE_NOTCH_ADDR;
        }
        0x504c RDMA_SURF_NOTCH rdma_surf_notch Plain {
            0 3 RESERVED_0;
            4 31 SURF_NOTCH_ADDR;
        }
        0x5064 RDMA_PAD_CFG rdma_pad_cfg Plain {
            0 2 PAD_LEFT;
            3 3 RESERVED_1;
            4 6 PAD_TOP;
            7 15 RESERVED_0;
            16 31 PAD_VALUE;
        }
        0x5068 RDMA_WEIGHT rdma_weight Plain {
            0 7 M_WEIGHT;
            8 15 B_WEIGHT;
            16 23 N_WEIGHT;
            24 31 E_WEIGHT;
        }
        0x506c RDMA_EW_SURF_NOTCH rdma_ew_surf_notch Plain {
            0 3 RESERVED_0;
            4 31 EW_SURF_NOTCH;
        }
    }
    Ppu ppu {
        0x6000 S_STATUS s_status Plain {
            0 1 STATUS_0;
            2 15 RESERVED_1;
            16 17 STATUS_1;
            18 31 RESERVED_0;
        }
        0x6004 S_POINTER s_pointer Plain {
            0 0 POINTER;
            1 1 POINTER_PP_EN;
            2 2 EXECUTER_PP_EN;
            3 3 POINTER_PP_MODE;
            4 4 POINTER_PP_CLEAR;
            5 5 EXECUTER_PP_CLEAR;
            6 15 RESERVED_1;
            16 16 EXECUTER;
            17 31 RESERVED_0;
        }
        0x6008 OPERATION_ENABLE operation_enable Plain {
            0 0 OP_EN;
            1 31 RESERVED_0;
        }
        0x600c DATA_CUBE_IN_WIDTH data_cube_in_width Plain {
            0 12 CUBE_IN_WIDTH;
            13 31 RESERVED_0;
        }
        0x6010 DATA_CUBE_IN_HEIGHT data_cube_in_height Plain {
            0 12 CUBE_IN_HEIGHT;
            13 31 RESERVED_0;
        }
        0x6014 DATA_CUBE_IN_CHANNEL data_cube_in_channel Plain {
            0 12 CUBE_IN_CHANNEL;
            13 31 RESERVED_0;
        }
        0x6018 DATA_CUBE_OUT_WIDTH data_cube_out_width Plain {
            0 12 CUBE_OUT_WIDTH;
            13 31 RESERVED_0;
        }
        0x601c DATA_CUBE_OUT_HEIGHT data_cube_out_height Plain {
            0 12 CUBE_OUT_HEIGHT;
            13 31 RESERVED_0;
        }
        0x6020 DATA_CUBE_OUT_CHANNEL data_cube_out_channel Plain {
            0 12 CUBE_OUT_CHANNEL;
            13 31 RESERVED_0;
        }
        0x6024 OPERATION_MODE_CFG operation_mode_cfg Plain {
            0 1 POOLING_METHOD;
            2 3 RESERVED_3;
            4 4 FLYING_MODE;
            5 7 USE_CNT;
            8 15 RESERVED_2;
            16 28 NOTCH_ADDR;
            29 29 RESERVED_1;
            30 30 INDEX_EN;
            31 31 RESERVED_0;
        }
        0x6034 POOLING_KERNEL_CFG pooling_kernel_cfg Plain {
            0 3 KERNEL_WIDTH;
            4 7 RESERVED_2;
            8 11 KERNEL_HEIGHT;
            12 15 RESERVED_1;
            16 19 KERNEL_STRIDE_WIDTH;
            20 23 KERNEL_STRIDE_HEIGHT;
            24 31 RESERVED_0;
        }
        0x6038 RECIP_KERNEL_WIDTH recip_kernel_width Plain {
            0 16 RECIP_KERNEL_WIDTH;
            17 31 RESERVED_0;
        }
        0x603c RECIP_KERNEL_HEIGHT recip_kernel_height Plain {
            0 16 RECIP_KERNEL_HEIGHT;
            17 31 RESERVED_0;
        }
        0x6040 POOLING_PADDING_CFG pooling_padding_cfg Plain {
            0 2 PAD_LEFT;
            3 3 RESERVED_3;
            4 6 PAD_TOP;
            7 7 RESERVED_2;
            8 10 PAD_RIGHT;
            11 11 RESERVED_1;
            12 14 PAD_BOTTOM;
            15 31 RESERVED_0;
        }
        0x6044 PADDING_VALUE_1_CFG padding_value_1_cfg Plain {
            0 31 PAD_VALUE_0;
        }
        0x6048 PADDING_VALUE_2_CFG padding_value_2_cfg Plain {
            0 2 PAD_VALUE_1;
            3 31 RESERVED_0;
        }
        0x6070 DST_BASE_ADDR dst_base_addr Write {
            0 3 RESERVED_0;
            4 31 DST_BASE_ADDR;
        }
        0x607c DST_SURF_STRIDE dst_surf_stride Plain {
            0 3 RESERVED_0;
            4 31 DST_SURF_STRIDE;
        }
        0x6084 DATA_FORMAT data_format Plain {
            0 2 PROC_PRECISION;
            3 3 DPU_FLYIN;
            4 31 INDEX_ADD;
        }
        0x60dc MISC_CTRL misc_ctrl Plain {
            0 3 BURST_LEN;
            4 6 RESERVED_1;
            7 7 NONALIGN;
            8 8 MC_SURF_OUT;
            9 15 RESERVED_0;
            16 31 SURF_LEN;
        }
    }
    PpuRdma ppu_rdma {
        0x7000 RDMA_S_STATUS rdma_s_status Plain {
            0 1 STATUS_0;
            2 15 RESERVED_1;
            16 17 STATUS_1;
            18 31 RESERVED_0;
        }
        0x7004 RDMA_S_POINTER rdma_s_pointer Plain {
            0 0 POINTER;
            1 1 POINTER_PP_EN;
            2 2 EXECUTER_PP_EN;
            3 3 POINTER_PP_MODE;
            4 4 POINTER_PP_CLEAR;
            5 5 EXECUTER_PP_CLEAR;
            6 15 RESERVED_1;
            16 16 EXECUTER;
            17 31 RESERVED_0;
        }
        0x7008 RDMA_OPERATION_ENABLE rdma_operation_enable Plain {
            0 0 OP_EN;
            1 31 RESERVED_0;
        }
        0x700c RDMA_CUBE_IN_WIDTH rdma_cube_in_width Plain {
            0 12 CUBE_IN_WIDTH;
            13 31 RESERVED_0;
        }
        0x7010 RDMA_CUBE_IN_HEIGHT rdma_cube_in_height Plain {
            0 12 CUBE_IN_HEIGHT;
            13 31 RESERVED_0;
        }
        0x7014 RDMA_CUBE_IN_CHANNEL rdma_cube_in_channel Plain {
            0 12 CUBE_IN_CHANNEL;
            13 31 RESERVED_0;
        }
        0x701c RDMA_SRC_BASE_ADDR rdma_src_base_addr Read {
            0 31 SRC_BASE_ADDR;
        }
        0x7024 RDMA_SRC_LINE_STRIDE rdma_src_line_stride Plain {
            0 3 RESERVED_0;
            4 31 SRC_LINE_STRIDE;
        }
        0x7028 RDMA_SRC_SURF_STRIDE rdma_src_surf_stride Plain {
            0 3 RESERVED_0;
            4 31 SRC_SURF_STRIDE;
        }
        0x7030 RDMA_DATA_FORMAT rdma_data_format Plain {
            0 1 IN_PRECISION;
            2 31 RESERVED_0;
        }
    }
    Ddma ddma {
        0x8000 CFG_OUTSTANDING cfg_outstanding Plain {
            0 7 RD_OS_CNT;
            8 15 WR_OS_CNT;
            16 31 RESERVED_0;
        }
        0x8004 RD_WEIGHT_0 rd_weight_0 Plain {
            0 7 RD_WEIGHT_FEATURE;
            8 15 RD_WEIGHT_KERNEL;
            16 23 RD_WEIGHT_DPU;
            24 31 RD_WEIGHT_PDP;
        }
        0x8008 WR_WEIGHT_0 wr_weight_0 Plain {
            0 7 WR_WEIGHT_DPU;
            8 15 WR_WEIGHT_PDP;
            16 31 RESERVED_0;
        }
        0x800c CFG_ID_ERROR cfg_id_error Plain {
            0 4 RD_RESP_ID;
            5 5 RESERVED_1;
            6 9 WR_RESP_ID;
            10 31 RESERVED_0;
        }
        0x8010 RD_WEIGHT_1 rd_weight_1 Plain {
            0 7 RD_WEIGHT_PC;
            8 31 RESERVED_0;
        }
        0x8014 CFG_DMA_FIFO_CLR cfg_dma_fifo_clr Plain {
            0 0 DMA_FIFO_CLR;
            1 31 RESERVED_0;
        }
        0x8018 CFG_DMA_ARB cfg_dma_arb Plain {
            0 2 RD_FIX_ARB;
            3 3 RESERVED_2;
            4 6 WR_FIX_ARB;
            7 7 RESERVED_1;
            8 8 RD_ARBIT_MODEL;
            9 9 WR_ARBIT_MODEL;
            10 31 RESERVED_0;
        }
        0x8020 CFG_DMA_RD_QOS cfg_dma_rd_qos Plain {
            0 1 RD_FEATURE_QOS;
            2 3 RD_KERNEL_QOS;
            4 5 RD_DPU_QOS;
            6 7 RD_PPU_QOS;
            8 9 RD_PC_QOS;
            10 31 RESERVED_0;
        }
        0x8024 CFG_DMA_RD_CFG cfg_dma_rd_cfg Plain {
            0 2 RD_ARSIZE;
            3 4 RD_ARBURST;
            5 7 RD_ARPROT;
            8 11 RD_ARCACHE;
            12 12 RD_ARLOCK;
            13 31 RESERVED_0;
        }
        0x8028 CFG_DMA_WR_CFG cfg_dma_wr_cfg Plain {
            0 2 WR_AWSIZE;
            3 4 WR_AWBURST;
            5 7 WR_AWPROT;
            8 11 WR_AWCACHE;
            12 12 WR_AWLOCK;
            13 31 RESERVED_0;
        }
        0x802c CFG_DMA_WSTRB cfg_dma_wstrb Plain {
            0 31 WR_WSTRB;
        }
        0x8030 CFG_STATUS cfg_status Plain {
            0 7 RESERVED_1;
            8 8 IDEL;
            9 31 RESERVED_0;
        }
    }
    Sdma sdma {
        0x9000 CFG_OUTSTANDING cfg_outstanding Plain {
            0 7 RD_OS_CNT;
            8 15 WR_OS_CNT;
            16 31 RESERVED_0;
        }
        0x9004 RD_WEIGHT_0 rd_weight_0 Plain {
            0 7 RD_WEIGHT_FEATURE;
            8 15 RD_WEIGHT_KERNEL;
            16 23 RD_WEIGHT_DPU;
            24 31 RD_WEIGHT_PDP;
        }
        0x9008 WR_WEIGHT_0 wr_weight_0 Plain {
            0 7 WR_WEIGHT_DPU;
            8 15 WR_WEIGHT_PDP;
            16 31 RESERVED_0;
        }
        0x900c CFG_ID_ERROR cfg_id_error Plain {
            0 4 RD_RESP_ID;
            5 5 RESERVED_1;
            6 9 WR_RESP_ID;
            10 31 RESERVED_0;
        }
        0x9010 RD_WEIGHT_1 rd_weight_1 Plain {
            0 7 RD_WEIGHT_PC;
            8 31 RESERVED_0;
        }
        0x9014 CFG_DMA_FIFO_CLR cfg_dma_fifo_clr Plain {
            0 0 DMA_FIFO_CLR;
            1 31 RESERVED_0;
        }
        0x9018 CFG_DMA_ARB cfg_dma_arb Plain {
            0 2 RD_FIX_ARB;
            3 3 RESERVED_2;
            4 6 WR_FIX_ARB;
            7 7 RESERVED_1;
            8 8 RD_ARBIT_MODEL;
            9 9 WR_ARBIT_MODEL;
            10 31 RESERVED_0;
        }
        0x9020 CFG_DMA_RD_QOS cfg_dma_rd_qos Plain {
            0 1 RD_FEATURE_QOS;
            2 3 RD_KERNEL_QOS;
            4 5 RD_DPU_QOS;
            6 7 RD_PPU_QOS;
            8 9 RD_PC_QOS;
            10 31 RESERVED_0;
        }
        0x9024 CFG_DMA_RD_CFG cfg_dma_rd_cfg Plain {
            0 2 RD_ARSIZE;
            3 4 RD_ARBURST;
            5 7 RD_ARPROT;
            8 11 RD_ARCACHE;
            12 12 RD_ARLOCK;
            13 31 RESERVED_0;
        }
        0x9028 CFG_DMA_WR_CFG cfg_dma_wr_cfg Plain {
            0 2 WR_AWSIZE;
            3 4 WR_AWBURST;
            5 7 WR_AWPROT;
            8 11 WR_AWCACHE;
            12 12 WR_AWLOCK;
            13 31 RESERVED_0;
        }
        0x902c CFG_DMA_WSTRB cfg_dma_wstrb Plain {
            0 31 WR_WSTRB;
        }
        0x9030 CFG_STATUS cfg_status Plain {
            0 7 RESERVED_1;
            8 8 IDEL;
            9 31 RESERVED_0;
        }
    }
    Global global {
        0xf008 OPERATION_ENABLE operation_enable Plain {
            0 0 CNA_OP_EN;
            1 1 RESERVED_1;
            2 2 CORE_OP_EN;
            3 3 DPU_OP_EN;
            4 4 DPU_RDMA_OP_EN;
            5 5 PPU_OP_EN;
            6 6 PPU_RDMA_OP_EN;
            7 31 RESERVED_0;
        }
    }
}

/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Which questions a review asks of the server, in which blocks of time and in which form of the
 * histograms, and what the server says when it does not have the answer. What the answers amount
 * to is left to others.
 */
package io.phasewise.report.query;

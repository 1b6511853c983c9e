# Grows trees with rpart on a table that Python wrote into a folder, and writes them there as JSON.
#
#   Rscript rpart.R FOLDER
#
# The folder has, in native binary: sizes (rows, columns, classes, modes), categories (by column, 0 for numbers),
# x (doubles by column; categories are numbered from 0, NaN is missing), y (classes from 1), folds (from 1),
# modes (for each: 1 or 0 for given priors, then the priors, then the loss matrix by row).
suppressPackageStartupMessages(library(rpart))

folder <- commandArgs(trailingOnly = TRUE)[1]
whole <- function(name, n) readBin(file.path(folder, name), "integer", n)
real <- function(name, n) readBin(file.path(folder, name), "double", n)

sizes <- whole("sizes", 4)
rows <- sizes[1]; columns <- sizes[2]; classes <- sizes[3]; modes <- sizes[4]
categories <- whole("categories", columns)
x <- matrix(real("x", rows * columns), rows, columns)
folds <- whole("folds", rows)
parms <- matrix(real("modes", modes * (1 + classes + classes^2)), modes, byrow = TRUE)

data <- data.frame(y = factor(whole("y", rows), levels = seq_len(classes)))
for (j in seq_len(columns)) {
  data[[paste0("x", j)]] <- if (categories[j] > 0) factor(x[, j], levels = seq_len(categories[j]) - 1) else x[, j]
}

number <- function(v) paste0("[", paste(ifelse(is.na(v), "null", sprintf("%.17g", v)), collapse = ","), "]")

# A row of the matrix of splits: numbers go left below the cut or above it, categories one by one.
one_split <- function(fit, i) {
  row <- fit$splits[i, ]
  feature <- as.integer(sub("x", "", rownames(fit$splits)[i])) - 1L
  text <- sprintf("\"feature\":%d,\"improve\":%.17g,\"adjusted\":%.17g", feature, row["improve"], row["adj"])
  if (abs(row["ncat"]) == 1 && categories[feature + 1] == 0) {
    return(sprintf("{%s,\"cut\":%.17g,\"below\":\"%s\"}", text, row["index"], if (row["ncat"] < 0) "left" else "right"))
  }
  way <- fit$csplit[row["index"], seq_len(categories[feature + 1])]
  sprintf("{%s,\"left\":%s,\"right\":%s}", text, number(which(way == 1) - 1), number(which(way == 3) - 1))
}

as_json <- function(fit) {
  frame <- fit$frame
  number_of <- as.integer(rownames(frame))
  at <- 0L
  nodes <- character(0)
  for (i in seq_along(number_of)) {
    text <- sprintf("\"node\":%.0f,\"n\":%d,\"risk\":%.17g,\"answer\":%d", number_of[i], frame$n[i], frame$dev[i], frame$yval[i] - 1L)
    if (frame$var[i] != "<leaf>") {
      surrogates <- character(0)
      for (s in seq_len(frame$nsurrogate[i])) surrogates <- c(surrogates, one_split(fit, at + 1L + s))
      text <- sprintf("%s,\"split\":%s,\"surrogates\":[%s]", text, one_split(fit, at + 1L), paste(surrogates, collapse = ","))
      at <- at + 1L + frame$nsurrogate[i]
    }
    nodes <- c(nodes, sprintf("{%s}", text))
  }
  sprintf("[%s]", paste(nodes, collapse = ","))
}

for (mode in seq_len(modes)) {
  given <- parms[mode, ]
  prior <- if (given[1] > 0) given[2:(1 + classes)] else as.numeric(table(data$y)) / rows
  loss <- matrix(given[-(1:(1 + classes))], classes, byrow = TRUE)
  # Nearly no cp: with 0 rpart keeps splits that lower the risk by nothing but rounding.
  control <- rpart.control(cp = 1e-8, maxcompete = 0, xval = folds)
  fit <- rpart(y ~ ., data, method = "class", parms = list(prior = prior, loss = loss), control = control)
  table_of_cp <- apply(fit$cptable, 1, number)
  text <- sprintf("{\"tree\":%s,\"cp\":[%s]}", as_json(fit), paste(table_of_cp, collapse = ","))
  writeLines(text, file.path(folder, paste0(mode, ".json")))
}

# scores.tsv to Markdown: one table per number, scenes down, methods across. Scenes whose names end
# in a digit are one sequence and become one row, their mean.
BEGIN { FS = "\t" }

NR == 1 {
    for (i = 3; i <= NF; ++i)
        column[$i] = i
    next
}

{
    scene = $1
    sub(/[0-9]+$/, "", scene)
    method = $2 == "image" ? "input" : $2
    if (!(scene in seen_scene)) {
        seen_scene[scene] = 1
        scenes[++scene_count] = scene
    }
    if (!(method in seen_method)) {
        seen_method[method] = 1
        methods[++method_count] = method
    }
    for (i = 3; i <= NF; ++i)
        if ($i != "-") {
            sum[scene, method, i] += $i
            number[scene, method, i] += 1
        }
}

function table(name, title, digits, average,    c, s, m, line, any, total, count) {
    c = column[name]
    printf "\n%s\n\n| scene |", title
    for (m = 1; m <= method_count; ++m)
        printf " %s |", methods[m]
    printf "\n|---|"
    for (m = 1; m <= method_count; ++m)
        printf "---|"
    printf "\n"
    for (s = 1; s <= scene_count; ++s) {
        line = any = ""
        for (m = 1; m <= method_count; ++m)
            if ((scenes[s], methods[m], c) in sum) {
                any = 1
                value = sum[scenes[s], methods[m], c] / number[scenes[s], methods[m], c]
                total[m] += value
                count[m] += 1
                line = line sprintf(" %.*f |", digits, value)
            } else {
                line = line " |"
            }
        if (any)
            printf "| %s |%s\n", scenes[s], line
    }
    if (average) {
        printf "| **mean** |"
        for (m = 1; m <= method_count; ++m)
            printf count[m] ? " **%.*f** |" : " |", digits, count[m] ? total[m] / count[m] : 0
        printf "\n"
    }
}

END {
    table("edge", "PSNR within the blur's width of depth edges, dB:", 1, 1)
    table("all", "PSNR of the picture, dB:", 1, 1)
    table("edge_ssim", "SSIM within the blur's width of depth edges:", 3, 1)
    table("ssim", "SSIM of the picture:", 3, 1)
    table("frame", "PSNR of the frame, dB:", 1, 1)
    table("leak_in", "Leak: mean absolute error inside the subject's outline (codes 0 to 1):", 4, 0)
    table("leak_out", "Leak: the same outside:", 4, 0)
    table("energy", "Light of the spots relative to the truth:", 2, 0)
    table("shape", "Shape of the spots, L1 distance (0 to 2):", 2, 0)
    table("step", "Steps of a focus pull, PSNR of the change, dB:", 1, 0)
}

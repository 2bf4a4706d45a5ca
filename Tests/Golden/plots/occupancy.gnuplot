set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Buffers: Touches window (triple-switch)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "frames \061\071 to \064\066\073 n \062\067 uses of \063 buffers\073 at most \063 in use at once\073 around the change from \062 buffers to \063" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.094
set rmargin at screen 0.976
set tmargin at screen 0.8892857142857143
set bmargin at screen 0.675
set xrange [383.3364:783.3396]
set xlabel "time in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [0.0:3.2800000000000002]
set ylabel "in use" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("\060" 0.0, "\061" 1.0, "\062" 2.0, "\063" 3.0)
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
unset key
plot "data/\060" binary format="%double%double" record=(25) endian=default using 1:2 with steps linewidth 1.2 linecolor rgb "#1f2328" title "buffers in use"
unset label
set lmargin at screen 0.094
set rmargin at screen 0.976
set tmargin at screen 0.5285714285714287
set bmargin at screen 0.10000000000000014
set xrange [383.3364:783.3396]
set xlabel "time in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid noxtics
set yrange [2.6:-0.6]
set ylabel "" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("buffer A" 0.0, "buffer B" 1.0, "buffer C" 2.0)
set grid noytics
set key at screen 0.976, screen 0.5750000000000001 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
set label 100 "\062\060" at 391.6698,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 101 "\062\061" at 408.3366,1.0 center noenhanced front textcolor rgb "#000000"
set label 102 "\062\062" at 425.0034,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 103 "\062\063" at 441.6702,1.0 center noenhanced front textcolor rgb "#000000"
set label 104 "\062\064" at 458.337,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 105 "\062\065" at 475.00379999999996,1.0 center noenhanced front textcolor rgb "#000000"
set label 106 "\062\066" at 491.67060000000004,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 107 "\062\067" at 508.3374,1.0 center noenhanced front textcolor rgb "#000000"
set label 108 "\062\070" at 525.0042,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 109 "\062\071" at 550.0044,1.0 center noenhanced front textcolor rgb "#000000"
set label 110 "\063\060" at 575.0046,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 111 "\063\061" at 591.6714,2.0 center noenhanced front textcolor rgb "#000000"
set label 112 "\063\062" at 608.3382,1.0 center noenhanced front textcolor rgb "#000000"
set label 113 "\063\063" at 625.005,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 114 "\063\064" at 641.6718,2.0 center noenhanced front textcolor rgb "#000000"
set label 115 "\063\065" at 658.3386,1.0 center noenhanced front textcolor rgb "#000000"
set label 116 "\063\066" at 675.0054,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 117 "\063\067" at 691.6722,2.0 center noenhanced front textcolor rgb "#000000"
set label 118 "\063\070" at 708.3389999999999,1.0 center noenhanced front textcolor rgb "#000000"
set label 119 "\063\071" at 725.0058,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 120 "\064\060" at 741.6726,2.0 center noenhanced front textcolor rgb "#000000"
set label 121 "\064\061" at 758.3394000000001,1.0 center noenhanced front textcolor rgb "#000000"
set label 122 "\064\062" at 775.0062,0.0 center noenhanced front textcolor rgb "#ffffff"
plot "data/\061" binary format="%double%double%double%double" record=(25) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 0.5 linecolor rgb "#6e7781" title "refreshes", \
  "data/\062" binary format="%double%double%double%double" record=(10) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle transparent pattern 4 border linecolor rgb "#0072b2" linewidth 0.8 title "drawing", \
  "data/\063" binary format="%double%double%double%double" record=(10) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle transparent solid 0.35 border linecolor rgb "#6e7781" linewidth 0.4 title "queued", \
  "data/\064" binary format="%double%double%double%double" record=(10) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "shown", \
  "data/\065" binary format="%double%double%double%double" record=(10) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle transparent pattern 4 border linecolor rgb "#e69f00" linewidth 0.8 notitle, \
  "data/\066" binary format="%double%double%double%double" record=(9) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle transparent solid 0.35 border linecolor rgb "#6e7781" linewidth 0.4 notitle, \
  "data/\067" binary format="%double%double%double%double" record=(10) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 notitle, \
  "data/\070" binary format="%double%double%double%double" record=(5) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#f0e442" fillstyle transparent pattern 4 border linecolor rgb "#f0e442" linewidth 0.8 notitle, \
  "data/\071" binary format="%double%double%double%double" record=(5) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#f0e442" fillstyle transparent solid 0.35 border linecolor rgb "#6e7781" linewidth 0.4 notitle, \
  "data/\061\060" binary format="%double%double%double%double" record=(5) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#f0e442" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 notitle
unset label
unset multiplot
unset output
# data/0: 383.3364 2.0 400.0032 2.0 416.67 2.0 433.3368 2.0 450.0036 2.0 466.6704 2.0 483.3372 2.0 500.004 2.0 516.6708 2.0 533.3376 2.0 550.0044 3.0 566.6712 3.0 583.338 3.0 600.0048 3.0 616.6716 3.0 633.3384 3.0 650.0052 3.0 666.672 3.0 683.3388 3.0 700.0056 3.0 716.6724 3.0 733.3392 3.0 750.006 3.0 766.6728 3.0 783.3396 3.0
# data/1: 383.3364 -0.6 383.3364 2.6 400.0032 -0.6 400.0032 2.6 416.67 -0.6 416.67 2.6 433.3368 -0.6 433.3368 2.6 450.0036 -0.6 450.0036 2.6 466.6704 -0.6 466.6704 2.6 483.3372 -0.6 483.3372 2.6 500.004 -0.6 500.004 2.6 516.6708 -0.6 516.6708 2.6 533.3376 -0.6 533.3376 2.6 550.0044 -0.6 550.0044 2.6 566.6712 -0.6 566.6712 2.6 583.338 -0.6 583.338 2.6 600.0048 -0.6 600.0048 2.6 616.6716 -0.6 616.6716 2.6 633.3384 -0.6 633.3384 2.6 650.0052 -0.6 650.0052 2.6 666.672 -0.6 666.672 2.6 683.3388 -0.6 683.3388 2.6 700.0056 -0.6 700.0056 2.6 716.6724 -0.6 716.6724 2.6 733.3392 -0.6 733.3392 2.6 750.006 -0.6 750.006 2.6 766.6728 -0.6 766.6728 2.6 783.3396 -0.6 783.3396 2.6
# data/2: 400.0032 413.3366 -0.38 0.38 433.3368 446.6702 -0.38 0.38 466.6704 480.0038 -0.38 0.38 500.004 513.3374 -0.38 0.38 533.3376 555.0044 -0.38 0.38 583.338 605.0048 -0.38 0.38 633.3384 655.0052 -0.38 0.38 683.3388 705.0056 -0.38 0.38 733.3392 755.006 -0.38 0.38 783.3396 783.3396 -0.38 0.38
# data/3: 383.3364 383.3364 -0.38 0.38 413.3366 416.67 -0.38 0.38 446.6702 450.0036 -0.38 0.38 480.0038 483.3372 -0.38 0.38 513.3374 516.6708 -0.38 0.38 555.0044 566.6712 -0.38 0.38 605.0048 616.6716 -0.38 0.38 655.0052 666.672 -0.38 0.38 705.0056 716.6724 -0.38 0.38 755.006 766.6728 -0.38 0.38
# data/4: 383.3364 400.0032 -0.38 0.38 416.67 433.3368 -0.38 0.38 450.0036 466.6704 -0.38 0.38 483.3372 500.004 -0.38 0.38 516.6708 533.3376 -0.38 0.38 566.6712 583.338 -0.38 0.38 616.6716 633.3384 -0.38 0.38 666.672 683.3388 -0.38 0.38 716.6724 733.3392 -0.38 0.38 766.6728 783.3396 -0.38 0.38
# data/5: 383.3364 396.6698 0.62 1.38 416.67 430.0034 0.62 1.38 450.0036 463.337 0.62 1.38 483.3372 496.6706 0.62 1.38 516.6708 530.0042 0.62 1.38 566.6712 588.338 0.62 1.38 616.6716 638.3384 0.62 1.38 666.672 688.3388 0.62 1.38 716.6724 738.3392 0.62 1.38 766.6728 783.3396 0.62 1.38
# data/6: 396.6698 400.0032 0.62 1.38 430.0034 433.3368 0.62 1.38 463.337 466.6704 0.62 1.38 496.6706 500.004 0.62 1.38 530.0042 533.3376 0.62 1.38 588.338 600.0048 0.62 1.38 638.3384 650.0052 0.62 1.38 688.3388 700.0056 0.62 1.38 738.3392 750.006 0.62 1.38
# data/7: 383.3364 383.3364 0.62 1.38 400.0032 416.67 0.62 1.38 433.3368 450.0036 0.62 1.38 466.6704 483.3372 0.62 1.38 500.004 516.6708 0.62 1.38 533.3376 566.6712 0.62 1.38 600.0048 616.6716 0.62 1.38 650.0052 666.672 0.62 1.38 700.0056 716.6724 0.62 1.38 750.006 766.6728 0.62 1.38
# data/8: 550.0044 571.6712 1.62 2.38 600.0048 621.6716 1.62 2.38 650.0052 671.672 1.62 2.38 700.0056 721.6724 1.62 2.38 750.006 771.6728 1.62 2.38
# data/9: 571.6712 583.338 1.62 2.38 621.6716 633.3384 1.62 2.38 671.672 683.3388 1.62 2.38 721.6724 733.3392 1.62 2.38 771.6728 783.3396 1.62 2.38
# data/10: 583.338 600.0048 1.62 2.38 633.3384 650.0052 1.62 2.38 683.3388 700.0056 1.62 2.38 733.3392 750.006 1.62 2.38 783.3396 783.3396 1.62 2.38
